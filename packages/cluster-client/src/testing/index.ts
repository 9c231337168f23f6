export {
  API_TOKEN,
  FakeApiServer,
  type Fault,
  type SeenRequest,
} from './FakeApiServer.ts';
export {
  ObjectStore,
  type StoredEvent,
  type StoredObject,
} from './ObjectStore.ts';
