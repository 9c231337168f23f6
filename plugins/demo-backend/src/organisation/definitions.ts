/** The events of orders, in AsyncAPI. */
export const ORDER_EVENTS = `asyncapi: 3.0.0
info:
  title: Order events
  version: 1.2.0
  description: Orders as they are placed, paid and cancelled. Part of the demo organisation.
servers:
  production:
    host: queue.harbour-goods.example:9092
    protocol: kafka
channels:
  orders:
    address: orders.v1
    messages:
      orderPlaced:
        $ref: '#/components/messages/OrderPlaced'
      orderPaid:
        $ref: '#/components/messages/OrderPaid'
      orderCancelled:
        $ref: '#/components/messages/OrderCancelled'
operations:
  publishOrders:
    action: send
    summary: Publishes every change of an order, in the order in which they happened.
    channel:
      $ref: '#/channels/orders'
components:
  messages:
    OrderPlaced:
      summary: A customer has placed an order.
      payload:
        type: object
        required: [orderId, customerId, total, currency, placedAt]
        properties:
          orderId: { type: string }
          customerId: { type: string }
          total: { type: number }
          currency: { type: string }
          placedAt: { type: string, format: date-time }
    OrderPaid:
      summary: The order is paid in full.
      payload:
        type: object
        required: [orderId, paymentIds, paidAt]
        properties:
          orderId: { type: string }
          paymentIds:
            description: More than one if the payment was split.
            type: array
            items: { type: string }
          paidAt: { type: string, format: date-time }
    OrderCancelled:
      summary: The order will not be delivered.
      payload:
        type: object
        required: [orderId, reason, cancelledAt]
        properties:
          orderId: { type: string }
          reason: { type: string, enum: [customer, payment, stock] }
          cancelledAt: { type: string, format: date-time }
`;

/** The API of the apps, in GraphQL. */
export const MOBILE_GRAPH = `"""
The entry points of the apps. Part of the demo organisation.
"""
type Query {
  "Products that match the words, best first."
  search(words: String!, first: Int = 20): [Product!]!
  product(id: ID!): Product
  "The cart of the customer who is signed in."
  cart: Cart!
}

type Mutation {
  addToCart(productId: ID!, quantity: Int = 1): Cart!
  removeFromCart(lineId: ID!): Cart!
  "Starts a checkout, and returns where to pay."
  checkOut: Checkout!
}

type Product {
  id: ID!
  name: String!
  price: Money!
  pictures: [String!]!
  inStock: Boolean!
}

type Cart {
  lines: [CartLine!]!
  total: Money!
}

type CartLine {
  id: ID!
  product: Product!
  quantity: Int!
}

type Checkout {
  id: ID!
  paymentPage: String!
}

type Money {
  amount: Float!
  currency: String!
}
`;

/** The ranking of products, as a gRPC service. */
export const RANKING = `// Part of the demo organisation.
syntax = "proto3";

package harbourgoods.ranking.v1;

// Puts products into the order in which a customer sees them.
service Ranking {
  rpc Rank(RankRequest) returns (RankResponse);
  // Explains why a product has its place.
  rpc Explain(ExplainRequest) returns (ExplainResponse);
}

message RankRequest {
  string query = 1;
  repeated string product_ids = 2;
  // Empty for customers who are not signed in.
  string customer_id = 3;
}

message RankResponse {
  repeated RankedProduct products = 1;
  string model_version = 2;
}

message RankedProduct {
  string product_id = 1;
  double score = 2;
}

message ExplainRequest {
  string query = 1;
  string product_id = 2;
}

message ExplainResponse {
  map<string, double> weights = 1;
}
`;
