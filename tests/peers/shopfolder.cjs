// The folder that a shop on Node.js shares with its test: README.md.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

exports.open = (folder) => {
    const note = (file, order) => fs.appendFileSync(path.join(folder, file), `${order}\n`);
    const isBroken = (order) => {
        let text;
        try {
            text = fs.readFileSync(path.join(folder, 'broken'), 'utf8');
        } catch {
            return false; // there is none
        }
        const orders = text.split('\n').filter(Boolean);
        return orders.length === 0 || orders.includes(String(order));
    };
    return {
        // What the shop does with an order: it throws while it is broken.
        process(order, error) {
            note('tries', order);
            if (isBroken(order))
                throw error;
            note('done', order);
        },
    };
};

exports.numbers = (first, count) => Array.from({ length: Number(count) }, (_, i) => Number(first) + i);
