const createConfig = require('@backstage/cli/config/eslint-factory');

const PRIVATE_MEMBERS =
  ':matches(PropertyDefinition, MethodDefinition[kind!="constructor"], TSParameterProperty)[accessibility="private"]';

/** ESLint's configuration of a package: Backstage's, and the style that this repository keeps. */
module.exports = (directory, extra = {}) =>
  createConfig(directory, {
    ...extra,
    rules: { curly: ['error', 'all'], ...extra.rules },
    restrictedSyntax: [
      {
        message: 'Private members are written as #name',
        selector: PRIVATE_MEMBERS,
      },
    ],
  });
