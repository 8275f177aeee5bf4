// A shop on a function as AWS Lambda runs it, with the AWS SDK: "Using Lambda with Amazon SQS" and "Asynchronous invocation" of its
// developer guide. How it is called: README.md; before the command comes the folder of the packages. After the count may come
// "asynchronous": then nothing goes through the queue; the function is invoked, and what it gives up is sent as Lambda does.
'use strict';
const path = require('node:path');
const shopFolder = require('./shopfolder.cjs');

const [packages, command, endpoint, folder, first, count, mode] = process.argv.slice(2);
const sqs = require(path.join(packages, '@aws-sdk/client-sqs'));
const client = new sqs.SQSClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
    useQueueUrlAsEndpoint: false, // its host name is for real machines
});
const arn = (kind, name) => `arn:aws:${kind}:us-east-1:000000000000:${name}`;
const tries = 3; // maxReceiveCount, and those of an asynchronous invocation
const hiddenSeconds = 43200; // the test sets the clock of the server on while messages are handled
const shop = shopFolder.open(folder);

// The function: a batch of records; it names those that failed (ReportBatchItemFailures).
function handler(event) {
    const batchItemFailures = [];
    for (const record of event.Records) {
        try {
            shop.process(JSON.parse(record.body).order, new TypeError('no truck today'));
        } catch {
            batchItemFailures.push({ itemIdentifier: record.messageId });
        }
    }
    return { batchItemFailures };
}

async function createQueue(name, attributes = {}) {
    return (await client.send(new sqs.CreateQueueCommand({ QueueName: name, Attributes: attributes }))).QueueUrl;
}

async function createOrders() {
    await createQueue('orders-dead');
    return createQueue('orders', {
        VisibilityTimeout: String(hiddenSeconds),
        RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arn('sqs', 'orders-dead'), maxReceiveCount: String(tries) }),
    });
}

async function send(QueueUrl) {
    for (const order of shopFolder.numbers(first, count)) {
        const kind = { DataType: 'String', StringValue: 'shop.parcel' };
        const MessageBody = JSON.stringify({ order, label: `order-${order}.` });
        await client.send(new sqs.SendMessageCommand({ QueueUrl, MessageBody, MessageAttributes: { kind } }));
    }
}

// The poller of the event source mapping. What failed is not deleted, and comes in sight again.
async function work(QueueUrl) {
    let goesOn = true;
    process.on('SIGTERM', () => {
        goesOn = false;
    });
    while (goesOn) {
        const { Messages = [] } = await client.send(new sqs.ReceiveMessageCommand({
            QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 1,
            MessageSystemAttributeNames: ['All'], MessageAttributeNames: ['All'],
        }));
        if (Messages.length === 0)
            continue;
        const Records = Messages.map((message) => ({
            messageId: message.MessageId, receiptHandle: message.ReceiptHandle, body: message.Body,
            attributes: message.Attributes, messageAttributes: message.MessageAttributes,
            eventSource: 'aws:sqs', eventSourceARN: arn('sqs', 'orders'),
        }));
        const failed = new Set(handler({ Records }).batchItemFailures.map((one) => one.itemIdentifier));
        const entries = (isFailed) => Messages.filter((one) => failed.has(one.MessageId) === isFailed)
            .map((one, i) => ({ Id: String(i), ReceiptHandle: one.ReceiptHandle }));
        const [done, again] = [entries(false), entries(true).map((entry) => ({ ...entry, VisibilityTimeout: 0 }))];
        if (done.length > 0)
            await client.send(new sqs.DeleteMessageBatchCommand({ QueueUrl, Entries: done }));
        if (again.length > 0)
            await client.send(new sqs.ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries: again }));
    }
}

// The error of the last try; null: one succeeded.
function invoke(order) {
    let failure = null;
    for (let attempt = 0; attempt < tries; ++attempt) {
        try {
            shop.process(order, new TypeError('no truck today'));
            return null;
        } catch (error) {
            failure = error;
        }
    }
    return failure;
}

// What Lambda sends when the last try of an asynchronous invocation has failed: the event with three attributes to the dead-letter
// queue of the function, the record of the invocation to its on-failure destination. The events take turns.
async function invokeAsynchronously() {
    const queues = [await createQueue('function-dead'), await createQueue('function-failures')];
    for (const order of shopFolder.numbers(first, count)) {
        const event = { order, label: `order-${order}.` };
        const failure = invoke(order);
        if (failure === null)
            continue;
        const requestId = `00000000-0000-4000-8000-${String(order).padStart(12, '0')}`;
        const text = (StringValue, DataType = 'String') => ({ DataType, StringValue });
        const message = order % 2 === 0
            ? { MessageBody: JSON.stringify(event), MessageAttributes: {
                RequestID: text(requestId), ErrorCode: text('200', 'Number'), ErrorMessage: text(failure.message) } }
            : { MessageBody: JSON.stringify({
                version: '1.0', timestamp: new Date().toISOString(),
                requestContext: { requestId, functionArn: `${arn('lambda', 'function:charge')}:$LATEST`,
                    condition: 'RetriesExhausted', approximateInvokeCount: tries },
                requestPayload: event,
                responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
                responsePayload: { errorType: failure.name, errorMessage: failure.message, trace: failure.stack.split('\n') } }) };
        await client.send(new sqs.SendMessageCommand({ QueueUrl: queues[order % 2], ...message }));
    }
}

(async () => {
    if (mode === 'asynchronous')
        await invokeAsynchronously();
    else if (command === 'send')
        await send(await createOrders());
    else
        await work(await createOrders());
    client.destroy();
})().catch((error) => {
    console.error(error);
    process.exit(1);
});
