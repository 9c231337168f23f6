import { component, GIT, startCatalog } from '../__testUtils__/startCatalog';

const shop = `${GIT}/shop.yaml`;

describe('POST /locations rejects', () => {
  let catalog: Awaited<ReturnType<typeof startCatalog>>;

  beforeAll(async () => {
    catalog = await startCatalog({});
  });

  it.each([
    ['no name', component(undefined), 'metadata.name is required'],
    [
      'no metadata',
      'apiVersion: backstage.io/v1alpha1\nkind: Component\n',
      'metadata.name is required',
    ],
    ['an empty name', component('""'), 'metadata.name must not be empty'],
    ['null for a name', component('null'), 'metadata.name must be a string'],
    ['a number for a name', component('5'), 'metadata.name must be a string'],
    [
      'metadata that are none',
      component('shop').replace(/metadata:[^]*shop/, 'metadata: shop'),
      'metadata must be an object',
    ],
    ['a name that is none', component('a b'), '"metadata.name" is not valid'],
    [
      'no owner',
      component('shop').replace(', owner: payments', ''),
      'component:default/shop: spec.owner is required',
    ],
    ['another format', '<html></html>', 'The descriptor is not an entity'],
    ['broken YAML', 'a: [1,\n b: }', 'YAML error'],
    ['nothing in it', '', 'The descriptor is empty'],
    [
      'a key that is none',
      component('shop').replace('payments}', 'payments, __proto__: {a: 1}}'),
      "component:default/shop: '__proto__' must not be a key",
    ],
    [
      'a kind that is not allowed',
      component('shop').replace('Component', 'User'),
      'is of a kind that is not allowed',
    ],
  ])('a descriptor with %s', async (_, text, message) => {
    catalog.reader.set(shop, text);
    const answer = await catalog.register({ type: 'url', target: shop });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: expect.stringContaining(message) });
    expect(answer.body.error).not.toMatch(/Processor|TypeError|<root>/);
  });

  it.each([
    [`${GIT}/nothing.yaml`, 'The descriptor cannot be read: could not read'],
    [
      'https://elsewhere.example.org/x.yaml',
      'is not allowed: an admin can add its host to backend.reading.allow or to the integrations',
    ],
  ])('%s, which cannot be read', async (target, message) => {
    const answer = await catalog.register({ type: 'url', target });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(message);
  });

  it.each([
    [{}, 'type is required; target is required'],
    [{ type: 'url' }, 'target is required'],
    [{ type: 'tape', target: shop }, 'type: must be url or file'],
    [{ type: 'url', target: 'shop' }, 'target: must be an http or https'],
    [{ type: 'url', target: 'file:///etc/passwd' }, 'must be an http or https'],
    [{ type: 'url', target: 5 }, 'target: '],
    [
      { type: 'url', target: 'https://ada:secret@git.example.org/shop.yaml' },
      'target: must not contain a user name or password',
    ],
    [
      { type: 'url', target: `${GIT}/*/blob/main/shop.yaml` },
      'target: must name one file, not a pattern',
    ],
    [
      { type: 'url', target: `${GIT}/%2A/shop.yaml` },
      'target: must name one file, not a pattern',
    ],
    [{ type: 'file', target: '/etc/passwd' }, 'type: file is not allowed here'],
    [[], 'The request body must be a JSON object'],
    ['null', 'The request body must be a JSON object'],
    ['1', 'The request body must be a JSON object'],
  ])('%j', async (body, message) => {
    const answer = await catalog.register(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: expect.stringContaining(message) });
  });
});
