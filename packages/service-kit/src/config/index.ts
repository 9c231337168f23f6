export {
  type CommonConfig,
  CredentialConfig,
  CredentialName,
} from './CommonConfig.ts';
export { ConfigurationError } from './ConfigurationError.ts';
