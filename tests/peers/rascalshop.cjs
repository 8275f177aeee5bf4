// A shop on rascal whose messages are dead-lettered once their retries are used up.
//   node rascalshop.cjs FOLDER-OF-PACKAGES send AMQP-URL FOLDER COUNT   sends COUNT orders and ends
//   node rascalshop.cjs FOLDER-OF-PACKAGES work AMQP-URL FOLDER         consumes until it is terminated
// Each try adds a line with the number of its order to FOLDER/tries. While FOLDER/broken exists every try fails.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const [packages, command, url, folder, count] = process.argv.slice(2);
const { BrokerAsPromised } = require(path.join(packages, 'rascal'));
const address = new URL(url);
const vhost = decodeURIComponent(address.pathname.slice(1));

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
    for (let number = 0; number < Number(count); ++number) {
        const publication = await broker.publish('parcels', { order: number }, { options: { type: 'shop.parcel' } });
        await new Promise((resolve, reject) => publication.on('success', resolve).on('error', reject));
    }
    await broker.shutdown();
}

async function work(broker) {
    const subscription = await broker.subscribe('parcels');
    subscription.on('message', (message, content, ackOrNack) => {
        fs.appendFileSync(path.join(folder, 'tries'), `${content.order}\n`);
        if (fs.existsSync(path.join(folder, 'broken')))
            ackOrNack(new Error('no truck today'), recovery);
        else
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
