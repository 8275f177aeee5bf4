// A shop on rascal whose messages are dead-lettered once their retries are used up. How it is called: README.md; before the command
// comes the folder of the packages.
'use strict';
const path = require('node:path');
const shopFolder = require('./shopfolder.cjs');

const [packages, command, url, folder, first, count] = process.argv.slice(2);
const { BrokerAsPromised } = require(path.join(packages, 'rascal'));
const vhost = decodeURIComponent(new URL(url).pathname.slice(1));

// Two republished tries, then a nack, which the queue's dead-letter exchange takes.
const recovery = [{ strategy: 'republish', defer: 10, attempts: 2 }, { strategy: 'nack' }];
const config = {
    vhosts: {
        [vhost]: {
            connection: { url },
            exchanges: { parcels: { type: 'direct' } },
            queues: {
                parcels: { options: { arguments: { 'x-dead-letter-exchange': '', 'x-dead-letter-routing-key': 'failed' } } },
            },
            bindings: ['parcels[parcel] -> parcels'],
            publications: { parcels: { exchange: 'parcels', routingKey: 'parcel' } },
            subscriptions: { parcels: { queue: 'parcels', prefetch: 5 } },
        },
    },
};

async function send(broker) {
    for (const order of shopFolder.numbers(first, count)) {
        const message = { order, label: `order-${order}.` };
        const publication = await broker.publish('parcels', message, { options: { type: 'shop.parcel' } });
        await new Promise((resolve, reject) => publication.on('success', resolve).on('error', reject));
    }
    await broker.shutdown();
}

async function work(broker) {
    const shop = shopFolder.open(folder);
    const subscription = await broker.subscribe('parcels');
    subscription.on('message', (message, content, ackOrNack) => {
        try {
            shop.process(content.order, new Error('no truck today'));
        } catch (error) {
            ackOrNack(error, recovery);
            return;
        }
        ackOrNack();
    });
    subscription.on('error', (error) => console.error(error.message));
    process.on('SIGTERM', () => broker.shutdown().then(() => process.exit(0)));
}

(async () => {
    const broker = await BrokerAsPromised.create(config);
    broker.on('error', (error) => console.error(error.message));
    await (command === 'send' ? send(broker) : work(broker));
})().catch((error) => {
    console.error(error);
    process.exit(1);
});
