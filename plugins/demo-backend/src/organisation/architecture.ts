/** A database, queue or other resource that services use. */
export interface ResourcePlan {
  readonly name: string;
  readonly title: string;
  readonly type: 'database' | 'cache' | 'queue' | 'bucket' | 'search-index';
  readonly description: string;
  /** Services that use it; the team of the first one owns it. */
  readonly users: readonly string[];
}

/** The services that each service calls, or whose events it reads. Services without calls are left out. */
export const CALLS: Readonly<Record<string, readonly string[]>> = tableOf(`
  checkout-api     cart-api pricing-api promotions-api tax-engine billing-api accounts-api feature-gate
  cart-api         products-api pricing-api
  pricing-api      promotions-api tax-engine
  promotions-api   loyalty-api
  checkout-web     checkout-api cart-api accounts-api
  order-gateway    checkout-api
  billing-api      card-vault ledger-api
  invoices-api     order-gateway ledger-api tax-engine
  payouts-worker   ledger-api billing-api
  refunds-api      billing-api ledger-api
  card-vault       secrets-broker
  dunning-worker   invoices-api mail-worker
  warehouse-api    order-gateway
  picking-app      warehouse-api label-printer
  shipping-api     warehouse-api carrier-adapter
  carrier-adapter  secrets-broker
  returns-api      warehouse-api shipping-api refunds-api
  stock-sync       warehouse-api
  label-printer    shipping-api
  products-api     categories-api media-api
  product-import   products-api media-api
  reviews-api      products-api accounts-api
  stock-view       warehouse-api
  products-admin   products-api categories-api media-api
  search-api       ranking-model facets-api
  search-indexer   products-api reviews-api
  ranking-model    experiments-api
  facets-api       categories-api
  synonyms-admin   suggest-api
  storefront-web   content-api products-api search-api cart-api suggest-api consent-banner
  home-page        content-api promotions-api
  product-page     products-api reviews-api pricing-api stock-view
  image-proxy      media-api
  edge-router      storefront-web home-page product-page checkout-web
  consent-banner   consents-api
  accounts-api     sessions-api address-book
  sign-in-web      sessions-api accounts-api
  loyalty-api      order-gateway accounts-api
  preferences-api  accounts-api
  consents-api     accounts-api
  mobile-gateway   products-api search-api cart-api checkout-api accounts-api
  ios-app          mobile-gateway app-config
  android-app      mobile-gateway app-config
  push-worker      preferences-api
  deep-links       content-api
  app-config       feature-gate
  events-pipeline  order-gateway consents-api
  reports-api      metrics-store
  experiments-api  feature-gate
  forecast-job     metrics-store
  exports-api      reports-api
  data-quality     events-pipeline
  mail-worker      order-gateway templates-api preferences-api
  sms-worker       templates-api preferences-api
  campaigns-api    mail-worker sms-worker
  inbox-api        accounts-api
  preferences-web  preferences-api
  helpdesk-web     order-lookup refunds-desk knowledge-base
  order-lookup     checkout-api shipping-api returns-api accounts-api
  refunds-desk     refunds-api order-lookup
  chat-bridge      inbox-api
  knowledge-base   content-api
  call-router      accounts-api
  deploy-agent     build-images secrets-broker
  api-gateway      service-mesh sessions-api
  service-mesh     log-pipeline
`);

/** The resources of Harbour Goods. */
export const RESOURCES: readonly ResourcePlan[] = [
  {
    name: 'orders-database',
    title: 'Orders database',
    type: 'database',
    description: 'Checkouts and orders, with their lines and payments.',
    users: words('checkout-api order-gateway'),
  },
  {
    name: 'order-events',
    title: 'Order events queue',
    type: 'queue',
    description: 'Orders as they are placed, paid and cancelled.',
    users: words(
      'order-gateway invoices-api warehouse-api loyalty-api mail-worker events-pipeline',
    ),
  },
  {
    name: 'carts-cache',
    title: 'Carts cache',
    type: 'cache',
    description: 'Carts of the last 30 days.',
    users: words('cart-api'),
  },
  {
    name: 'prices-database',
    title: 'Prices database',
    type: 'database',
    description: 'Price lists, promotions and tax rates.',
    users: words('pricing-api promotions-api tax-engine'),
  },
  {
    name: 'ledger-database',
    title: 'Ledger database',
    type: 'database',
    description: 'Every booking since the first order.',
    users: words('ledger-api payouts-worker'),
  },
  {
    name: 'billing-database',
    title: 'Billing database',
    type: 'database',
    description: 'Payments, invoices and refunds.',
    users: words('billing-api invoices-api refunds-api dunning-worker'),
  },
  {
    name: 'warehouse-database',
    title: 'Warehouse database',
    type: 'database',
    description: 'Stock, pick lists, shipments and returns.',
    users: words('warehouse-api shipping-api returns-api'),
  },
  {
    name: 'stock-changes',
    title: 'Stock changes queue',
    type: 'queue',
    description:
      'Changes of stock on their way from the warehouse to the shop.',
    users: words('stock-sync stock-view'),
  },
  {
    name: 'products-database',
    title: 'Products database',
    type: 'database',
    description: 'Products, categories and reviews.',
    users: words('products-api categories-api reviews-api product-import'),
  },
  {
    name: 'product-media',
    title: 'Product media',
    type: 'bucket',
    description: 'Pictures and videos of products in all sizes.',
    users: words('media-api image-proxy'),
  },
  {
    name: 'product-index',
    title: 'Product index',
    type: 'search-index',
    description: 'Products as customers search for them.',
    users: words('search-api search-indexer suggest-api facets-api'),
  },
  {
    name: 'content-database',
    title: 'Content database',
    type: 'database',
    description: 'Texts and layouts of pages.',
    users: words('content-api knowledge-base'),
  },
  {
    name: 'accounts-database',
    title: 'Accounts database',
    type: 'database',
    description: 'Customers with addresses, points, preferences and consents.',
    users: words(
      'accounts-api address-book loyalty-api preferences-api consents-api',
    ),
  },
  {
    name: 'sessions-cache',
    title: 'Sessions cache',
    type: 'cache',
    description: 'Sessions of customers who are signed in.',
    users: words('sessions-api'),
  },
  {
    name: 'push-queue',
    title: 'Push queue',
    type: 'queue',
    description: 'Notifications on their way to the apps.',
    users: words('push-worker campaigns-api'),
  },
  {
    name: 'events-lake',
    title: 'Events lake',
    type: 'bucket',
    description: 'Raw events of the shop, by day.',
    users: words('events-pipeline data-quality exports-api'),
  },
  {
    name: 'metrics-database',
    title: 'Metrics database',
    type: 'database',
    description: 'Figures by hour, product and country.',
    users: words('metrics-store reports-api'),
  },
  {
    name: 'templates-database',
    title: 'Templates database',
    type: 'database',
    description: 'Texts of mails and text messages in eleven languages.',
    users: words('templates-api'),
  },
  {
    name: 'tickets-database',
    title: 'Tickets database',
    type: 'database',
    description: 'Questions of customers, and how they were answered.',
    users: words('helpdesk-web inbox-api'),
  },
  {
    name: 'flag-cache',
    title: 'Flag cache',
    type: 'cache',
    description: 'Definitions of flags, for services in the same region.',
    users: words('feature-gate'),
  },
  {
    name: 'image-registry',
    title: 'Image registry',
    type: 'bucket',
    description: 'Images of builds and of all services.',
    users: words('build-images deploy-agent'),
  },
  {
    name: 'secrets-database',
    title: 'Secrets database',
    type: 'database',
    description: 'Encrypted secrets of services, and who read them.',
    users: words('secrets-broker'),
  },
  {
    name: 'log-store',
    title: 'Log store',
    type: 'bucket',
    description: 'Logs of all services of the last 90 days.',
    users: words('log-pipeline'),
  },
];

/** Parses lines of words into a table: the first word of a line is the key of the others. */
function tableOf(text: string): Record<string, readonly string[]> {
  return Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map(line => {
        const [name, ...values] = words(line.trim());
        return [name, values];
      }),
  );
}

function words(text: string): string[] {
  return text.split(/ +/);
}
