import { APIS } from './apis';
import { openApiOf } from './openApi';
import { REST_APIS } from './restApis';

/** The parts of a definition that the tests read. */
interface Definition {
  openapi: string;
  info: { title: string; description: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

interface Operation {
  summary: string;
  operationId: string;
  parameters?: { name: string }[];
  requestBody?: object;
  responses: Record<string, object>;
}

const read = (text: string) => JSON.parse(text) as Definition;

it.each(REST_APIS.map(plan => [plan.name, plan] as const))(
  'defines %s completely',
  (_, plan) => {
    const text = openApiOf(plan);
    const { openapi, info, paths, components } = read(text);
    expect(openapi).toBe('3.0.3');
    expect(info.description).toContain('Part of the demo organisation');
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).map(operation => ({ path, operation })),
    );
    expect(operations).toHaveLength(plan.operations.length);
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { path, operation } of operations) {
      const names = (operation.parameters ?? []).map(({ name }) => `{${name}}`);
      expect(path.match(/\{\w+\}/g) ?? []).toEqual(names);
      expect(operation.operationId).toMatch(/^[a-z]+(?:[A-Z][a-z]*)*$/);
    }
    const refs = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)];
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining(refs.map(([, name]) => name)),
    );
  },
);

it('responds to each method in its own way', () => {
  const plan = REST_APIS.find(({ name }) => name === 'products')!;
  const { paths } = read(openApiOf(plan));
  expect(Object.keys(paths['/products'].get.responses)).toEqual(['200']);
  expect(paths['/products'].post).toMatchObject({
    operationId: 'createProduct',
    requestBody: { required: true },
    responses: { 201: {}, 400: {} },
  });
  expect(Object.keys(paths['/products/{productId}'].delete.responses)).toEqual([
    '204',
    '404',
  ]);
});

it('has APIs of four types, with unique names and providers', () => {
  expect(new Set(APIS.map(({ type }) => type))).toEqual(
    new Set(['openapi', 'asyncapi', 'graphql', 'grpc']),
  );
  expect(new Set(APIS.map(({ name }) => name)).size).toBe(APIS.length);
  expect(new Set(APIS.map(({ provider }) => provider)).size).toBe(APIS.length);
});
