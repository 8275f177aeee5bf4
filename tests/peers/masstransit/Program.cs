// A shop on MassTransit whose messages go to its error queue once their retries are used up. How it is called: ../README.md; before
// the command comes the serializer, envelope or raw (JSON).
using MassTransit;
using Shop;

if (args is ["check"])
    return 0;
var (serializer, command, address, folder) = (args[0], args[1], args[2], args[3]);
var shop = new ShopFolder(folder);
var bus = Bus.Factory.CreateUsingRabbitMq(configure =>
{
    configure.Host(new Uri(address));
    if (serializer == "raw")
        configure.UseRawJsonSerializer();
    if (command == "work")
        configure.ReceiveEndpoint("orders", endpoint =>
        {
            endpoint.UseMessageRetry(retry => retry.Immediate(2));
            endpoint.Consumer(() => new OrderConsumer(shop));
        });
});
await bus.StartAsync();
if (command == "send")
{
    var endpoint = await bus.GetSendEndpoint(new Uri("queue:orders"));
    foreach (var order in PlaceOrder.Numbered(int.Parse(args[4]), int.Parse(args[5])))
        await endpoint.Send(order);
}
else
{
    var ended = new TaskCompletionSource();
    using var onTerminate = System.Runtime.InteropServices.PosixSignalRegistration.Create(
        System.Runtime.InteropServices.PosixSignal.SIGTERM, context =>
        {
            context.Cancel = true;
            ended.TrySetResult();
        });
    await ended.Task;
}
await bus.StopAsync();
return 0;

internal sealed class OrderConsumer(ShopFolder shop) : IConsumer<PlaceOrder>
{
    public Task Consume(ConsumeContext<PlaceOrder> context)
    {
        shop.Process(context.Message.Order);
        return Task.CompletedTask;
    }
}
