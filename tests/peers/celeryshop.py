"""A shop on Celery whose tasks are dead-lettered once their retries are used up.

python3 celeryshop.py send AMQP-URL FOLDER COUNT    sends COUNT orders and ends
python3 celeryshop.py work AMQP-URL FOLDER          consumes until it is terminated

Each try adds a line with the number of its order to FOLDER/tries. While FOLDER/broken exists every try fails.
"""
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


@app.task(bind=True, name='shop.charge', max_retries=2)
def charge(self, order, currency):
    with open(os.path.join(folder, 'tries'), 'a', encoding='utf-8') as tries:
        tries.write(f'{order}\n')
    if os.path.exists(os.path.join(folder, 'broken')):
        raise self.retry(exc=RuntimeError('card refused'), countdown=0)


if command == 'send':
    for number in range(int(sys.argv[4])):
        charge.apply_async(args=(number,), kwargs={'currency': 'EUR'})
else:
    app.worker_main(['worker', '--pool=solo', '--without-gossip', '--without-mingle', '--without-heartbeat',
                     '--loglevel=WARNING'])
