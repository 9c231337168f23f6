import { newDescriptorUrl } from './newDescriptor';

const CONNECTION = {
  forge: 'github',
  repository: 'Shop/Cart_API',
  createdBy: 'user:default/ada',
} as const;

it("opens GitHub's editor with a descriptor of the repository", () => {
  const url = new URL(newDescriptorUrl(CONNECTION)!);
  expect(url.origin + url.pathname).toBe(
    'https://github.com/Shop/Cart_API/new/HEAD',
  );
  expect(url.searchParams.get('filename')).toBe('catalog-info.yaml');
  expect(url.searchParams.get('value')).toBe(`apiVersion: backstage.io/v1alpha1
kind: Component
metadata:
  name: cart_api
  annotations:
    slipway.dev/delivery-service: "Shop/Cart_API"
spec:
  type: service
  lifecycle: production
  owner: "user:default/ada"
`);
});

it('has no address for forges whose editor takes no text', () => {
  expect(newDescriptorUrl({ ...CONNECTION, forge: 'gitea' })).toBeUndefined();
});
