import { MOBILE_GRAPH, ORDER_EVENTS, RANKING } from './definitions';
import { openApiOf } from './openApi';
import { REST_APIS } from './restApis';

/** An API of the demo organisation. */
export interface ApiPlan {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly type: 'openapi' | 'asyncapi' | 'graphql' | 'grpc';
  /** The service that provides it. */
  readonly provider: string;
  readonly definition: string;
}

/** The APIs of Harbour Goods; a service provides one at most. */
export const APIS: readonly ApiPlan[] = [
  ...REST_APIS.map((plan): ApiPlan => ({
    name: plan.name,
    title: plan.title,
    description: plan.description,
    type: 'openapi',
    provider: plan.provider,
    definition: openApiOf(plan),
  })),
  {
    name: 'order-events',
    title: 'Order events',
    description: 'Orders as they are placed, paid and cancelled.',
    type: 'asyncapi',
    provider: 'order-gateway',
    definition: ORDER_EVENTS,
  },
  {
    name: 'mobile-graph',
    title: 'Mobile graph',
    description: 'What the apps show, in as few requests as possible.',
    type: 'graphql',
    provider: 'mobile-gateway',
    definition: MOBILE_GRAPH,
  },
  {
    name: 'ranking',
    title: 'Ranking',
    description: 'The order in which a customer sees products.',
    type: 'grpc',
    provider: 'ranking-model',
    definition: RANKING,
  },
];
