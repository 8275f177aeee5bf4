<?php
// A shop on Symfony Messenger: retries through delay queues, then a failure transport, both of them AMQP. How it is called:
// README.md; before the command comes the serializer, json or php, which is the default of the framework.

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
use Symfony\Component\Messenger\Transport\Serialization\PhpSerializer;
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
    public string $label = '';
}

/** What only PHP's own serializer can carry: private properties, an object in two places, a reference, a list that contains itself,
 * and for every other order text that is not UTF-8, with which the body becomes Base64. */
final class SendCrate
{
    public string $label;
    private array $labels;
    private DateTimeImmutable $ordered;
    protected ?DateTimeImmutable $due;
    public array $ring = [];

    public function __construct(public int $order = 0)
    {
        $this->label = "order-$order.";
        $text = $order % 2 ? "caf\xe9 \\ \"'" : "caf\u{e9} \\ \"'\0";
        $this->labels = [&$text, &$text];
        $this->ordered = $this->due = new DateTimeImmutable('2026-01-02 03:04:05');
        $this->ring[] = &$this->ring;
    }

    public function isWhole(): bool
    {
        $fresh = new self($this->order);
        $same = $this->labels === $fresh->labels && $this->ordered == $fresh->ordered && $this->ordered === $this->due;
        $this->labels[0] = 'other';
        $this->ring[] = 'other';
        $shared = 'other' === $this->labels[1] && 'other' === $this->ring[0][1];
        array_pop($this->ring);
        $this->labels[0] = $fresh->labels[0];

        return $same && $shared;
    }
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

function isBroken(string $folder, int $order): bool
{
    $orders = @file("$folder/broken", FILE_IGNORE_NEW_LINES); // false: there is none

    return false !== $orders && (!$orders || in_array((string) $order, $orders, true));
}

[, $kind, $command, $url, $folder] = $argv;
$at = parse_url($url);
// As the framework's bundle sets it up, but for XML, which needs another extension.
$serializer = 'php' === $kind ? new PhpSerializer() : new MessageSerializer(new Serializer(
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
    for ($number = (int) $argv[5]; $number < (int) $argv[5] + (int) $argv[6]; ++$number) {
        $message = 'php' === $kind ? new SendCrate($number) : new SendParcel();
        $message->order = $number;
        $message->label = "order-$number.";
        $async->send(new Envelope($message));
    }
    exit(0);
}

$handle = static function (SendParcel|SendCrate $parcel) use ($folder): void {
    if ($parcel instanceof SendCrate && !$parcel->isWhole()) {
        fwrite(STDERR, "order $parcel->order came back changed\n");
        exit(1);
    }
    file_put_contents("$folder/tries", $parcel->order."\n", FILE_APPEND);
    if (isBroken($folder, $parcel->order)) {
        throw new NoStock('none left');
    }
    file_put_contents("$folder/done", $parcel->order."\n", FILE_APPEND);
};
$bus = new MessageBus([new HandleMessageMiddleware(new HandlersLocator(
    [SendParcel::class => [$handle], SendCrate::class => [$handle]]))]);
$dispatcher = new EventDispatcher();
$dispatcher->addSubscriber(new AddErrorDetailsStampListener());
$dispatcher->addSubscriber(new SendFailedMessageForRetryListener(
    new Only('async', $async), new Only('async', new MultiplierRetryStrategy(2, 200, 1)), null, $dispatcher));
$dispatcher->addSubscriber(new SendFailedMessageToFailureTransportListener(new Only('async', $failed)));
(new Worker(['async' => $async], $bus, $dispatcher))->run(['sleep' => 50000]);
