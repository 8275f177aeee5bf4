<?php
// A shop on Symfony Messenger: retries through delay queues, then a failure transport, both of them AMQP.
//   php symfonyshop.php send AMQP-URL FOLDER COUNT   sends COUNT orders and ends
//   php symfonyshop.php work AMQP-URL FOLDER         consumes until it is terminated
// Each try adds a line with the number of its order to FOLDER/tries. While FOLDER/broken exists every try fails.

use Psr\Container\ContainerInterface;
use Symfony\Component\EventDispatcher\EventDispatcher;
use Symfony\Component\Messenger\Bridge\Amqp\Transport\AmqpTransport;
use Symfony\Component\Messenger\Bridge\Amqp\Transport\Connection;
use Symfony\Component\Messenger\Envelope;
use Symfony\Component\Messenger\EventListener\AddErrorDetailsStampListener;
use Symfony\Component\Messenger\EventListener\SendFailedMessageForRetryListener;
use Symfony\Component\Messenger\EventListener\SendFailedMessageToFailureTransportListener;
use Symfony\Component\Messenger\Handler\HandlersLocator;
use Symfony\Component\Messenger\MessageBus;
use Symfony\Component\Messenger\Middleware\HandleMessageMiddleware;
use Symfony\Component\Messenger\Retry\MultiplierRetryStrategy;
use Symfony\Component\Messenger\Transport\Serialization\Normalizer\FlattenExceptionNormalizer;
use Symfony\Component\Messenger\Transport\Serialization\Serializer as MessageSerializer;
use Symfony\Component\Messenger\Worker;
use Symfony\Component\PropertyInfo\Extractor\ReflectionExtractor;
use Symfony\Component\Serializer\Encoder\JsonEncoder;
use Symfony\Component\Serializer\Normalizer\ArrayDenormalizer;
use Symfony\Component\Serializer\Normalizer\DateTimeNormalizer;
use Symfony\Component\Serializer\Normalizer\ObjectNormalizer;
use Symfony\Component\Serializer\Serializer;

foreach (['EventDispatcher', 'Serializer', 'PropertyAccess', 'PropertyInfo', 'ErrorHandler', 'Messenger',
          'Messenger/Bridge/Amqp'] as $component) {
    require_once "Symfony/Component/$component/autoload.php";
}

final class SendParcel
{
    public int $order = 0;
}

final class NoStock extends RuntimeException
{
}

/** The one thing of a name, as the framework's own container hands it out. */
final class Only implements ContainerInterface
{
    public function __construct(private string $name, private object $thing)
    {
    }

    public function get(string $id): object
    {
        return $this->thing;
    }

    public function has(string $id): bool
    {
        return $id === $this->name;
    }
}

[, $command, $url, $folder] = $argv;
$at = parse_url($url);
// As the framework's bundle sets it up, but for XML, which needs another extension.
$serializer = new MessageSerializer(new Serializer(
    [new FlattenExceptionNormalizer(), new DateTimeNormalizer(), new ArrayDenormalizer(),
     new ObjectNormalizer(null, null, null, new ReflectionExtractor())],
    [new JsonEncoder()]
));
$transport = fn (string $exchange, string $queue) => new AmqpTransport(new Connection(
    ['host' => $at['host'], 'port' => $at['port'], 'login' => $at['user'], 'password' => $at['pass'],
     'vhost' => rawurldecode(substr($at['path'], 1)), 'delay' => [
         'exchange_name' => 'delays', 'queue_name_pattern' => 'delay_%exchange_name%_%routing_key%_%delay%']],
    ['name' => $exchange, 'type' => 'fanout'],
    [$queue => []]
), $serializer);
// The names differ on purpose: a transport is not always called as its queue.
$async = $transport('shop_messages', 'shop_orders');
$failed = $transport('shop_failed', 'failed');

if ('send' === $command) {
    for ($number = 0; $number < (int) $argv[4]; ++$number) {
        $message = new SendParcel();
        $message->order = $number;
        $async->send(new Envelope($message));
    }
    exit(0);
}

$handle = static function (SendParcel $parcel) use ($folder): void {
    file_put_contents("$folder/tries", $parcel->order."\n", FILE_APPEND);
    clearstatcache();
    if (file_exists("$folder/broken")) {
        throw new NoStock('none left');
    }
};
$bus = new MessageBus([new HandleMessageMiddleware(new HandlersLocator([SendParcel::class => [$handle]]))]);
$dispatcher = new EventDispatcher();
$dispatcher->addSubscriber(new AddErrorDetailsStampListener());
$dispatcher->addSubscriber(new SendFailedMessageForRetryListener(
    new Only('async', $async), new Only('async', new MultiplierRetryStrategy(2, 200, 1)), null, $dispatcher));
$dispatcher->addSubscriber(new SendFailedMessageToFailureTransportListener(new Only('async', $failed)));
(new Worker(['async' => $async], $bus, $dispatcher))->run(['sleep' => 50000]);
