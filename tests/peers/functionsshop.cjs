// A shop on a queue trigger of Azure Functions, with Microsoft's client of Storage Queues: it handles messages as QueueListener of
// azure-webjobs-sdk does. How it is called: README.md; before the command comes the folder of the packages.
'use strict';
const path = require('node:path');
const shopFolder = require('./shopfolder.cjs');

const [packages, command, url, folder, first, count] = process.argv.slice(2);
const storage = require(path.join(packages, '@azure/storage-queue'));
// The account that every emulator has, from Microsoft's documentation.
const credential = new storage.StorageSharedKeyCredential('devstoreaccount1',
    'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==');
const service = new storage.QueueServiceClient(url, credential);
const orders = service.getQueueClient('orders');
const poison = service.getQueueClient('orders-poison');
const maxDequeueCount = 5; // the default
const hiddenSeconds = 86400; // the test sets the clock of the server on while messages are handled
const pollingMs = 50;
const encode = (text) => Buffer.from(text).toString('base64'); // the default messageEncoding
const decode = (text) => Buffer.from(text, 'base64').toString();

async function send() {
    for (const order of shopFolder.numbers(first, count))
        await orders.sendMessage(encode(JSON.stringify({ order, label: `order-${order}.` })));
}

// A poison message is a copy of the text; nothing else of the message goes along.
async function giveUp(message) {
    await poison.createIfNotExists();
    await poison.sendMessage(message.messageText);
    await orders.deleteMessage(message.messageId, message.popReceipt);
}

async function handle(shop, message) {
    try {
        shop.process(JSON.parse(decode(message.messageText)).order, new Error('no truck today'));
    } catch {
        if (message.dequeueCount >= maxDequeueCount)
            await giveUp(message);
        else
            await orders.updateMessage(message.messageId, message.popReceipt, message.messageText, 0);
        return;
    }
    await orders.deleteMessage(message.messageId, message.popReceipt);
}

async function work() {
    const shop = shopFolder.open(folder);
    let goesOn = true;
    process.on('SIGTERM', () => {
        goesOn = false;
    });
    while (goesOn) {
        const { receivedMessageItems: messages } = await orders.receiveMessages(
            { numberOfMessages: 16, visibilityTimeout: hiddenSeconds });
        for (const message of messages)
            await handle(shop, message);
        if (messages.length === 0)
            await new Promise((resolve) => setTimeout(resolve, pollingMs));
    }
}

(async () => {
    await orders.createIfNotExists();
    await (command === 'send' ? send() : work());
})().catch((error) => {
    console.error(error);
    process.exit(1);
});
