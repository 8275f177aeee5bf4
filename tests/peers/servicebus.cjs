// Microsoft's own client of Service Bus over HTTP, azure-sb, against a broker: what it was written for must work unchanged.
// node servicebus.cjs FOLDER-OF-PACKAGES CONNECTION-STRING [OF-LISTEN OF-SEND]. Prints a line for each step; ends with 1 at the first that fails.
'use strict';
const assert = require('node:assert');
const path = require('node:path');
const { promisify } = require('node:util');

const azure = require(path.join(process.argv[2], 'azure-sb'));
const service = azure.createServiceBusService(process.argv[3]);
const call = (name) => promisify(service[name].bind(service));
const bus = new Proxy({}, { get: (_, name) => call(name) });
const dead = (queue) => `${queue}/$DeadLetterQueue`;
const lock = { isPeekLock: true, timeoutIntervalInS: 5 };

async function step(name, run) {
    try {
        await run();
    } catch (error) {
        console.log(`failed: ${name}: ${error && error.stack ? error.stack : JSON.stringify(error)}`);
        process.exit(1);
    }
    console.log(`ok: ${name}`);
}

async function empty(queue) {
    await assert.rejects(bus.receiveQueueMessage(queue, { isPeekLock: true, timeoutIntervalInS: 1 }), /No messages to receive/);
}

(async () => {
    await step('queues are made, with the properties that were asked for', async () => {
        await bus.createQueue('orders', { LockDuration: 'PT45S', MaxDeliveryCount: 2, DefaultMessageTimeToLive: 'P1D',
                                          DeadLetteringOnMessageExpiration: 'true' });
        const made = await bus.getQueue('orders');
        assert.strictEqual(made.QueueName, 'orders');
        assert.strictEqual(made.LockDuration, 'PT45S');
        assert.strictEqual(made.MaxDeliveryCount, '2');
        assert.strictEqual(made.DefaultMessageTimeToLive, 'P1D');
        assert.strictEqual(made.DeadLetteringOnMessageExpiration, 'true');
    });
    await step('a queue that is there already is no error where that is said', async () => {
        assert.strictEqual(await bus.createQueueIfNotExists('orders'), false);
        assert.strictEqual(await bus.createQueueIfNotExists('second'), true);
        await assert.rejects(bus.createQueue('orders'), (error) => error.statusCode === 409 || /409/.test(error.code + error.message));
    });
    await step('a missing queue is told as that', async () => {
        await assert.rejects(bus.getQueue('nobody'));
        await assert.rejects(bus.deleteQueue('nobody'), (error) => error.statusCode === 404 || /404/.test(error.code + error.message));
        await assert.rejects(bus.sendQueueMessage('nobody', 'x'));
    });
    await step('many queues are listed in pages', async () => {
        for (let i = 0; i < 7; ++i)
            await bus.createQueue(`page-${i}`);
        const first = await bus.listQueues({ top: 5, skip: 0 });
        const second = await bus.listQueues({ top: 5, skip: 5 });
        assert.strictEqual(first.length, 5);
        assert.strictEqual(second.length, 4);
        const names = first.concat(second).map((one) => one.QueueName).sort();
        assert.deepStrictEqual(names, ['orders', 'page-0', 'page-1', 'page-2', 'page-3', 'page-4', 'page-5', 'page-6', 'second']);
        for (let i = 0; i < 7; ++i)
            await bus.deleteQueue(`page-${i}`);
    });
    const when = new Date(Date.UTC(2026, 0, 2, 3, 4, 5));
    await step('properties of every type survive', async () => {
        await bus.sendQueueMessage('orders', {
            body: 'h\u00e9llo \u{1f600}',
            contentType: 'text/plain',
            brokerProperties: { MessageId: 'm-1', CorrelationId: 'c-1', Label: 'label', ReplyTo: 'answers', To: 'there', TimeToLive: 60 },
            customProperties: { text: 'High', number: 3, fraction: 1.5, yes: true, no: false, when, none: '' },
        });
        const got = await bus.receiveQueueMessage('orders', { timeoutIntervalInS: 5 }); // and takes it away
        assert.strictEqual(got.body, 'h\u00e9llo \u{1f600}');
        assert.strictEqual(got.contentType, 'text/plain');
        const broker = got.brokerProperties;
        for (const [name, value] of Object.entries({ MessageId: 'm-1', CorrelationId: 'c-1', Label: 'label', ReplyTo: 'answers', To: 'there', TimeToLive: 60 }))
            assert.strictEqual(broker[name], value, name);
        assert.ok(broker.SequenceNumber > 0 && broker.EnqueuedTimeUtc);
        const own = got.customProperties;
        assert.strictEqual(own.text, 'High');
        assert.strictEqual(own.number, 3);
        assert.strictEqual(own.fraction, 1.5);
        assert.strictEqual(own.yes, true);
        assert.strictEqual(own.no, false);
        assert.strictEqual(new Date(own.when).getTime(), when.getTime());
        await empty('orders');
    });
    await step('a locked message is renewed, unlocked and completed', async () => {
        await bus.sendQueueMessage('orders', { body: 'one' });
        const first = await bus.receiveQueueMessage('orders', lock);
        assert.strictEqual(first.brokerProperties.DeliveryCount, 1);
        await empty('orders');
        await bus.renewLockForMessage(first);
        await bus.unlockMessage(first);
        const again = await bus.receiveQueueMessage('orders', lock);
        assert.strictEqual(again.brokerProperties.DeliveryCount, 2);
        assert.strictEqual(again.brokerProperties.SequenceNumber, first.brokerProperties.SequenceNumber);
        await assert.rejects(bus.deleteMessage(first)); // its lock has ended
        await bus.deleteMessage(again);
        await empty('orders');
        await assert.rejects(bus.deleteMessage(again));
    });
    await step('delivered too often it is a dead letter with its reason', async () => {
        await bus.sendQueueMessage('orders', { body: 'bad', customProperties: { kept: 7 } });
        for (let i = 0; i < 2; ++i)
            await bus.unlockMessage(await bus.receiveQueueMessage('orders', lock));
        await empty('orders');
        const letter = await bus.receiveQueueMessage(dead('orders'), lock);
        assert.strictEqual(letter.body, 'bad');
        assert.strictEqual(letter.customProperties.kept, 7);
        const reason = Object.entries(letter.customProperties).find(([name]) => name.toLowerCase() === 'deadletterreason');
        assert.strictEqual(reason && reason[1], 'MaxDeliveryCountExceeded');
        await bus.deleteMessage(letter);
        await empty(dead('orders'));
        await assert.rejects(bus.sendQueueMessage(dead('orders'), 'x'));
    });
    await step('expired it is a dead letter, too', async () => {
        await bus.sendQueueMessage('orders', { body: 'late', brokerProperties: { TimeToLive: 1 } });
        const letter = await bus.receiveQueueMessage(dead('orders'), { isPeekLock: true, timeoutIntervalInS: 30 });
        assert.strictEqual(letter.body, 'late');
        const reason = Object.entries(letter.customProperties).find(([name]) => name.toLowerCase() === 'deadletterreason');
        assert.strictEqual(reason && reason[1], 'TTLExpiredException');
        await bus.deleteMessage(letter);
    });
    await step('a scheduled message comes at its time', async () => {
        const due = new Date(Date.now() + 4000);
        await bus.sendQueueMessage('second', { body: 'later', brokerProperties: { ScheduledEnqueueTimeUtc: due.toUTCString() } });
        const got = await bus.receiveQueueMessage('second', { timeoutIntervalInS: 50 });
        assert.strictEqual(got.body, 'later');
        assert.ok(Date.now() >= Math.floor(due.getTime() / 1000) * 1000); // the header has whole seconds
    });
    await step('a second message of one id is swallowed where duplicates are looked for', async () => {
        await bus.createQueue('once', { RequiresDuplicateDetection: 'true', DuplicateDetectionHistoryTimeWindow: 'PT10M' });
        for (const body of ['first', 'second'])
            await bus.sendQueueMessage('once', { body, brokerProperties: { MessageId: 'same' } });
        assert.strictEqual((await bus.receiveQueueMessage('once', { timeoutIntervalInS: 5 })).body, 'first');
        await empty('once');
    });
    await step('the counts of a queue are told', async () => {
        for (let i = 0; i < 3; ++i)
            await bus.sendQueueMessage('once', { body: `${i}`, brokerProperties: { MessageId: `n-${i}` } });
        const queue = await bus.getQueue('once');
        assert.strictEqual(queue.MessageCount, '3');
        assert.strictEqual(queue.CountDetails['d2p1:ActiveMessageCount'], '3');
        await bus.deleteQueue('once');
        await assert.rejects(bus.getQueue('once'));
    });
    await step('a topic is made with subscriptions, and they are listed', async () => {
        await bus.createTopic('events', { DefaultMessageTimeToLive: 'P1D', RequiresDuplicateDetection: 'true' });
        assert.strictEqual(await bus.createTopicIfNotExists('events'), false);
        assert.strictEqual(await bus.createTopicIfNotExists('others'), true);
        for (const name of ['bills', 'parcels', 'stamps'])
            await bus.createSubscription('events', name, { LockDuration: 'PT45S', MaxDeliveryCount: 1 });
        const topic = await bus.getTopic('events');
        assert.strictEqual(topic.TopicName, 'events');
        assert.strictEqual(topic.DefaultMessageTimeToLive, 'P1D');
        assert.strictEqual(topic.SubscriptionCount, '3');
        assert.deepStrictEqual((await bus.listTopics()).map((one) => one.TopicName).sort(), ['events', 'others']);
        const first = await bus.listSubscriptions('events', { top: 2, skip: 0 });
        const second = await bus.listSubscriptions('events', { top: 2, skip: 2 });
        assert.deepStrictEqual(first.concat(second).map((one) => one.SubscriptionName), ['bills', 'parcels', 'stamps']);
        assert.strictEqual(first[0].TopicName, 'events');
        assert.strictEqual((await bus.getSubscription('events', 'bills')).LockDuration, 'PT45S');
        const rules = await bus.listRules('events', 'bills');
        assert.deepStrictEqual(rules.map((one) => one.RuleName), ['$Default']);
        await assert.rejects(bus.getTopic('nothing'));
        await assert.rejects(bus.getSubscription('events', 'nobody'));
        await assert.rejects(bus.listSubscriptions('nothing'));
        await assert.rejects(bus.createSubscription('nothing', 'a'));
        await assert.rejects(bus.createSubscription('events', 'bills'), (error) => error.statusCode === 409 || /409/.test(error.code + error.message));
        await assert.rejects(bus.createRule('events', 'bills', 'some', { sqlExpressionFilter: 'a = 1' })); // filters are not offered
        await bus.deleteTopic('others');
    });
    await step('what is sent to a topic is in each of its subscriptions', async () => {
        await bus.sendTopicMessage('events', { body: 'hello', brokerProperties: { MessageId: 'e-1' }, customProperties: { kept: 7 } });
        await bus.sendTopicMessage('events', { body: 'again', brokerProperties: { MessageId: 'e-1' } }); // swallowed
        for (const name of ['bills', 'parcels', 'stamps']) {
            assert.strictEqual((await bus.getSubscription('events', name)).MessageCount, '1');
            const got = await bus.receiveSubscriptionMessage('events', name, lock);
            assert.strictEqual(got.body, 'hello');
            assert.strictEqual(got.customProperties.kept, 7);
            assert.strictEqual(got.brokerProperties.MessageId, 'e-1');
            if (name === 'bills') {
                await bus.renewLockForMessage(got);
                await bus.unlockMessage(got); // its one delivery
            } else {
                await bus.deleteMessage(got);
            }
        }
        await assert.rejects(bus.receiveSubscriptionMessage('events', 'parcels', { timeoutIntervalInS: 1 }), /No messages to receive/);
        await assert.rejects(bus.receiveQueueMessage('events', lock)); // a topic keeps nothing
    });
    await step('a dead letter of a subscription lies there, and is sent again to all', async () => {
        const bills = await bus.getSubscription('events', 'bills');
        assert.strictEqual(bills.CountDetails['d2p1:DeadLetterMessageCount'], '1');
        const letter = await bus.receiveSubscriptionMessage('events', dead('bills'), lock);
        assert.strictEqual(letter.body, 'hello');
        await bus.sendTopicMessage('events', { body: letter.body, brokerProperties: { MessageId: 'e-2' } });
        await bus.deleteMessage(letter);
        assert.strictEqual((await bus.receiveSubscriptionMessage('events', 'bills', { timeoutIntervalInS: 5 })).body, 'hello');
        await bus.deleteSubscription('events', 'bills');
        await assert.rejects(bus.getSubscription('events', 'bills'));
        await bus.deleteTopic('events');
        await assert.rejects(bus.getSubscription('events', 'parcels'));
    });
    if (process.argv.length > 5) {
        await step('a key opens what it is for', async () => {
            const as = (text) => new Proxy({}, { get: (_, name) => {
                const other = azure.createServiceBusService(text);
                return promisify(other[name].bind(other));
            } });
            const denied = (error) => error.statusCode === 401 || /401/.test(error.code + error.message);
            const [listener, sender] = [as(process.argv[4]), as(process.argv[5])];
            await sender.sendQueueMessage('second', 'sent');
            await assert.rejects(sender.receiveQueueMessage('second', lock), denied);
            await assert.rejects(listener.sendQueueMessage('second', 'x'), denied);
            const got = await listener.receiveQueueMessage('second', lock);
            assert.strictEqual(got.body, 'sent');
            await listener.deleteMessage(got);
            for (const one of [listener, sender]) {
                await assert.rejects(one.createQueue('mine'), denied);
                await assert.rejects(one.listQueues(), denied);
                await assert.rejects(one.deleteQueue('second'), denied);
            }
        });
    }
    await step('a wrong key opens nothing', async () => {
        const wrong = azure.createServiceBusService(process.argv[3].replace(/SharedAccessKey=[^;]*/, 'SharedAccessKey=d3Jvbmc='));
        await assert.rejects(promisify(wrong.getQueue.bind(wrong))('orders'), (error) => error.statusCode === 401 || /401/.test(error.code + error.message));
        await assert.rejects(promisify(wrong.sendQueueMessage.bind(wrong))('orders', 'x'));
    });
    console.log('done');
})();
