// An AMQP 1.0 client of RabbitMQ 4: node amqp10.cjs PACKAGES URL QUEUE send NAME... | receive COUNT. Each message it sends has the
// name as its id. What it receives it prints, one JSON object a line.
'use strict';
const path = require('node:path');

const [packages, address, queue, command, ...what] = process.argv.slice(2);
const rhea = require(path.join(packages, 'rhea'));
const { types, message } = rhea;
const url = new URL(address);

const failure = {
    'NServiceBus.ExceptionInfo.ExceptionType': 'Shop.TimeoutException',
    'NServiceBus.FailedQ': 'orders',
};
const data = (text) => message.data_section(Buffer.from(text));

// By the part of the name before the first dash: as it is sent beside its id and the failure.
const kinds = {
    data: { body: data('{"a":1}'), content_type: 'application/json' },
    value: { body: { a: 1, b: 'x' } },
    sequence: { body: message.sequence_section([1, 'two']) },
    annotated: { body: data('x'), message_annotations: { 'x-opt-shop': 'north' } },
    properties: { body: data('x'), subject: 'order.placed', to: '/queues/x', group_id: 'g', group_sequence: 5, ttl: 3600000, priority: 7 },
    number: { body: data('x'), message_id: types.wrap_ulong(77) },
    uuidid: { body: data('x'), message_id: types.wrap_uuid(Buffer.from('00112233445566778899aabbccddeeff', 'hex')) },
    longid: { body: data('x'), message_id: 'i'.repeat(300) },
    binaryid: { body: data('x'), message_id: types.wrap_binary(Buffer.from([1, 255])) },
    nothing: { body: data('x'), application_properties: { v: null } },
    uuid: { body: data('x'), application_properties: { v: types.wrap_uuid(Buffer.alloc(16)) } },
    char: { body: data('x'), application_properties: { v: types.wrap_char(65) } },
};

function made(name) {
    const kind = kinds[name.split('-')[0]];
    return { message_id: name, durable: true, ...kind, application_properties: { ...failure, 'NServiceBus.MessageId': name, ...kind.application_properties } };
}

function shown(value) {
    if (Buffer.isBuffer(value))
        return 'bytes ' + value.toString('hex');
    if (Array.isArray(value))
        return value.map(shown);
    if (value && typeof value === 'object' && !(value instanceof Date))
        return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shown(one)]));
    return value;
}

function end(text) {
    if (text)
        process.stderr.write(text + '\n');
    process.exit(text ? 1 : 0);
}

const container = rhea.create_container();
for (const event of ['connection_error', 'session_error', 'sender_error', 'receiver_error', 'rejected', 'released'])
    container.on(event, (context) => end(`${event}: ${JSON.stringify((context.sender || context.session || context.connection).error)}`));
container.on('disconnected', (context) => end(`disconnected: ${context.error}`));
setTimeout(() => end('no answer'), 60000);

const connection = container.connect({
    host: url.hostname, port: url.port, username: decodeURIComponent(url.username), password: decodeURIComponent(url.password),
    hostname: 'vhost:' + decodeURIComponent(url.pathname.slice(1)), reconnect: false,
});
if (command === 'send') {
    const left = [...what];
    let open = left.length;
    container.on('sendable', ({ sender }) => {
        while (left.length > 0 && sender.sendable())
            sender.send(made(left.shift()));
    });
    container.on('accepted', () => { if (--open === 0) end(); });
    connection.open_sender({ target: { address: '/queues/' + encodeURIComponent(queue) } });
} else {
    let open = Number(what[0]);
    container.on('message', ({ message: got, delivery }) => {
        if (open === 0)
            return; // RabbitMQ returns what is not accepted
        delivery.accept();
        process.stdout.write(JSON.stringify(shown({ ...got })) + '\n');
        if (--open === 0)
            connection.close();
    });
    container.on('connection_close', () => end());
    connection.open_receiver({ source: { address: '/queues/' + encodeURIComponent(queue) }, credit_window: 10, autoaccept: false });
}
