// A shop on Wolverine whose messages are dead-lettered once their attempts are used up. How it is called: ../README.md; before the
// command comes what makes the dead letters: native (RabbitMQ) or interop (Wolverine itself, with the cause in headers).
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Shop;
using Wolverine;
using Wolverine.ErrorHandling;
using Wolverine.RabbitMQ;

if (args is ["check"])
    return 0;
var (deadLetters, command, address, folder) = (args[0], args[1], args[2], args[3]);
var builder = Host.CreateApplicationBuilder();
builder.Services.AddSingleton(new ShopFolder(folder));
builder.UseWolverine(options =>
{
    var mode = deadLetters == "interop" ? DeadLetterQueueMode.InteropFriendly : DeadLetterQueueMode.Native;
    options.UseRabbitMq(new Uri(address)).AutoProvision()
        .CustomizeDeadLetterQueueing(new DeadLetterQueue("wolverine-dead-letter-queue", mode));
    options.PublishMessage<PlaceOrder>().ToRabbitQueue("orders");
    if (command != "work")
        return;
    options.ListenToRabbitQueue("orders").ProcessInline();
    options.OnException<InvalidOperationException>().RetryTimes(2);
});
using var host = builder.Build();
await host.StartAsync();
if (command == "send")
{
    var bus = host.Services.GetRequiredService<IMessageBus>();
    foreach (var order in PlaceOrder.Numbered(int.Parse(args[4]), int.Parse(args[5])))
        await bus.SendAsync(order);
    await host.StopAsync();
}
else
{
    await host.WaitForShutdownAsync();
}
return 0;

public static class PlaceOrderHandler
{
    public static void Handle(PlaceOrder order, ShopFolder shop) => shop.Process(order.Order);
}
