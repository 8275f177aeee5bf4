// The clock of a server under test. Each SIGUSR2 takes it on by more than the two minutes for which messages are hidden, so that a
// test of what a crash left hidden does not have to wait for them. Timers are not touched.
'use strict';
const RealDate = Date;
const step = 125000;
let ahead = 0;
process.on('SIGUSR2', () => {
    ahead += step;
});
globalThis.Date = new Proxy(RealDate, {
    apply: () => new RealDate(RealDate.now() + ahead).toString(),
    construct: (target, given, made) =>
        Reflect.construct(target, given.length === 0 ? [RealDate.now() + ahead] : given, made),
    get: (target, name) => (name === 'now' ? () => RealDate.now() + ahead : Reflect.get(target, name)),
});
