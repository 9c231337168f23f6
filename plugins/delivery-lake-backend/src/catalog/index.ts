export { CatalogServiceDirectory } from './CatalogServiceDirectory';
export type {
  ServiceDirectory,
  ServiceMatch,
  ServiceOwnership,
} from './ServiceDirectory';
