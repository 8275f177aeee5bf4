namespace Shop;

/// <summary>The folder that a shop on .NET shares with its test: README.md.</summary>
public sealed class ShopFolder(string folder)
{
    private readonly object _lock = new();

    /// <summary>What the shop does with an order: it throws while it is broken.</summary>
    public void Process(int order)
    {
        Note("tries", order);
        if (IsBroken(order))
            throw new InvalidOperationException("no truck today");
        Note("done", order);
    }

    private void Note(string file, int order)
    {
        lock (_lock)
            File.AppendAllText(Path.Combine(folder, file), $"{order}\n");
    }

    private bool IsBroken(int order)
    {
        try
        {
            var orders = File.ReadAllLines(Path.Combine(folder, "broken"));
            return orders.Length == 0 || orders.Contains(order.ToString());
        }
        catch (FileNotFoundException)
        {
            return false;
        }
    }
}

public sealed record PlaceOrder
{
    public int Order { get; init; }
    public string Label { get; init; } = "";

    public static IEnumerable<PlaceOrder> Numbered(int first, int count) =>
        Enumerable.Range(first, count).Select(order => new PlaceOrder { Order = order, Label = $"order-{order}." });
}
