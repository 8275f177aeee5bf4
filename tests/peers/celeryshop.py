"""A shop on Celery whose tasks are dead-lettered once their retries are used up. How it is called: README.md."""
import os
import sys

from celery import Celery
from kombu import Exchange, Queue

command, url, folder = sys.argv[1:4]
app = Celery('shop', broker=url)
app.conf.update(
    task_acks_late=True,
    task_acks_on_failure_or_timeout=False,
    task_default_queue='tasks',
    task_queues=[Queue('tasks', Exchange('tasks'), routing_key='tasks',
                       queue_arguments={'x-dead-letter-exchange': '', 'x-dead-letter-routing-key': 'failed'})],
    worker_hijack_root_logger=False,
    broker_connection_retry=True,
)


def note(file, order):
    with open(os.path.join(folder, file), 'a', encoding='utf-8') as lines:
        lines.write(f'{order}\n')


def is_broken(order):
    try:
        with open(os.path.join(folder, 'broken'), encoding='utf-8') as file:
            orders = file.read().split()
    except FileNotFoundError:
        return False
    return not orders or str(order) in orders


@app.task(bind=True, name='shop.charge', max_retries=2)
def charge(self, order, label):
    note('tries', order)
    if is_broken(order):
        raise self.retry(exc=RuntimeError('card refused'), countdown=0)
    note('done', order)


if command == 'send':
    first, count = map(int, sys.argv[4:6])
    for number in range(first, first + count):
        charge.apply_async(args=(number,), kwargs={'label': f'order-{number}.'})
else:
    # The worker acknowledges the last message when its loop turns again, which only the next message or a timer causes: without
    # its heartbeat that can be a minute later.
    app.worker_main(['worker', '--pool=solo', '--without-gossip', '--without-mingle', '--heartbeat-interval=1',
                     '--loglevel=WARNING'])
