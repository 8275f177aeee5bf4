#include "backend/sandbox/shop/causes.h"

#include <QStringList>

namespace sandbox {

namespace {

// The last frames of every NServiceBus stack. Only the frames above them differ.
QString stack(const QStringList &frames)
{
    static const QStringList pipeline{
        QStringLiteral("NServiceBus.InvokeHandlerTerminator.Terminate(IInvokeHandlerContext context)"),
        QStringLiteral(
            "NServiceBus.LoadHandlersConnector.Invoke(IIncomingLogicalMessageContext context, Func`2 stage)"),
        QStringLiteral(
            "NServiceBus.DeserializeMessageConnector.Invoke(IIncomingPhysicalMessageContext context, Func`2 stage)"),
        QStringLiteral(
            "NServiceBus.MainPipelineExecutor.Invoke(MessageContext messageContext, CancellationToken token)"),
    };
    QString text;
    for (const QString &frame : frames + pipeline)
        text += QStringLiteral("\n   at ") + frame;
    return text;
}

QList<Cause> orderCauses()
{
    return {
        {QStringLiteral("orders"), false, QStringLiteral("Shop.Orders.PlaceOrder"),
         QStringLiteral("Microsoft.Data.SqlClient.SqlException"),
         QStringLiteral("Execution Timeout Expired. The timeout period elapsed prior to completion of the operation or "
                        "the server is not responding. (order %1)"),
         stack(
             {QStringLiteral("Microsoft.Data.SqlClient.SqlCommand.ExecuteReaderAsync(CommandBehavior behavior)"),
              QStringLiteral("Shop.Orders.OrderRepository.Save(Order order) in /src/Orders/OrderRepository.cs:line 88"),
              QStringLiteral("Shop.Orders.PlaceOrderHandler.Handle(PlaceOrder message) in "
                             "/src/Orders/PlaceOrderHandler.cs:line 41")}),
         310, 12},
        {QStringLiteral("orders"), false, QStringLiteral("Shop.Orders.ReserveStock"),
         QStringLiteral("System.InvalidOperationException"),
         QStringLiteral("Stock of article A-%1 was changed by another process; expected version 7, found 8."),
         stack({QStringLiteral("Shop.Orders.StockKeeper.Reserve(String article, Int32 version) in "
                               "/src/Orders/StockKeeper.cs:line 63"),
                QStringLiteral("Shop.Orders.ReserveStockHandler.Handle(ReserveStock message) in "
                               "/src/Orders/ReserveStockHandler.cs:line 29")}),
         120, 60},
        {QStringLiteral("orders"), false, QStringLiteral("Shop.Orders.ImportOrder"),
         QStringLiteral("System.Text.Json.JsonException"),
         QStringLiteral("The JSON value could not be converted to System.Decimal. Path: $.lines[%1].price."),
         stack({QStringLiteral("System.Text.Json.ThrowHelper.ReThrowWithPath(ReadStack state, Exception inner)"),
                QStringLiteral("Shop.Orders.ImportOrderHandler.Handle(ImportOrder message) in "
                               "/src/Orders/ImportOrderHandler.cs:line 17")}),
         40, 1000},
    };
}

QList<Cause> billingCauses()
{
    return {
        {QStringLiteral("billing"), false, QStringLiteral("Shop.Billing.ChargeCard"),
         QStringLiteral("System.Net.Http.HttpRequestException"),
         QStringLiteral("Response status code does not indicate success: 503 (Service Unavailable). POST "
                        "https://payments.example/charges/%1"),
         stack({QStringLiteral("System.Net.Http.HttpResponseMessage.EnsureSuccessStatusCode()"),
                QStringLiteral("Shop.Billing.PaymentGateway.Charge(Payment payment) in "
                               "/src/Billing/PaymentGateway.cs:line 112"),
                QStringLiteral("Shop.Billing.ChargeCardHandler.Handle(ChargeCard message) in "
                               "/src/Billing/ChargeCardHandler.cs:line 35")}),
         220, 20},
        {QStringLiteral("billing"), false, QStringLiteral("Shop.Billing.SendInvoice"),
         QStringLiteral("System.NullReferenceException"),
         QStringLiteral("Object reference not set to an instance of an object."),
         stack({QStringLiteral("Shop.Billing.InvoiceLayout.Address(Customer customer) in "
                               "/src/Billing/InvoiceLayout.cs:line 204"),
                QStringLiteral("Shop.Billing.SendInvoiceHandler.Handle(SendInvoice message) in "
                               "/src/Billing/SendInvoiceHandler.cs:line 22")}),
         60, 150},
        {QStringLiteral("billing"),
         true,
         QStringLiteral("Shop.Billing.BookPayment"),
         QStringLiteral("SchemaMismatch"),
         QStringLiteral("Field 'iban' of payment %1 has 19 characters, at least 22 were expected."),
         {},
         50,
         100},
    };
}

QList<Cause> otherCauses()
{
    return {
        {QStringLiteral("shipping"), false, QStringLiteral("Shop.Shipping.BookCarrier"),
         QStringLiteral("System.TimeoutException"),
         QStringLiteral("The carrier did not answer within 00:00:30 for parcel %1."),
         stack({QStringLiteral("Shop.Shipping.CarrierClient.Book(Parcel parcel) in "
                               "/src/Shipping/CarrierClient.cs:line 57"),
                QStringLiteral("Shop.Shipping.BookCarrierHandler.Handle(BookCarrier message) in "
                               "/src/Shipping/BookCarrierHandler.cs:line 31")}),
         110, 25},
        {QStringLiteral("shipping"),
         true,
         QStringLiteral("Shop.Shipping.PrintLabel"),
         QStringLiteral("MaxDeliveryCountExceeded"),
         QStringLiteral("Message could not be consumed after 10 delivery attempts."),
         {},
         60,
         30},
        {QStringLiteral("notifications"),
         true,
         QStringLiteral("Shop.Notifications.SendMail"),
         QStringLiteral("TTLExpiredException"),
         QStringLiteral("The message expired and was dead lettered."),
         {},
         30,
         0},
    };
}

} // namespace

const QList<Cause> &causes()
{
    static const QList<Cause> all = orderCauses() + billingCauses() + otherCauses();
    return all;
}

QStringList workQueues()
{
    return {QStringLiteral("orders"), QStringLiteral("billing"), QStringLiteral("shipping"),
            QStringLiteral("notifications")};
}

} // namespace sandbox
