import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { renderExamples } from '../__testUtils__/examples';
import { findFaults } from '../__testUtils__/objectSchemas';

const PACKAGE_FOLDER = path.resolve(__dirname, '../../../..');
const RBAC_FILE = '../../deploy/kubernetes/ide-launcher-rbac.yaml';

const PLURALS: Record<string, string> = {
  Namespace: 'namespaces',
  NetworkPolicy: 'networkpolicies',
  DevWorkspace: 'devworkspaces',
  DevWorkspaceTemplate: 'devworkspacetemplates',
};

function readExamples(): { kind: string }[] {
  const readme = readFileSync(path.join(PACKAGE_FOLDER, 'README.md'), 'utf8');
  return [...readme.matchAll(/```yaml\n(.*?)```/gs)]
    .map(([, text]) => parse(text))
    .filter(object => object?.kind in PLURALS);
}

describe('the examples of the README', () => {
  it('are what the runtime writes', () => {
    expect(readExamples()).toEqual(renderExamples());
  });

  it.each(renderExamples().map(object => [object.kind ?? '', object]))(
    'hold a %s that a cluster takes',
    (kind, object) => {
      expect(findFaults(PLURALS[String(kind)], object)).toEqual([]);
    },
  );
});

it('documents a role that covers all requests', () => {
  const documents = parseAllDocuments(
    readFileSync(path.join(PACKAGE_FOLDER, RBAC_FILE), 'utf8'),
  ).map(document => document.toJS());
  const role = documents.find(({ kind }) => kind === 'ClusterRole');
  const covered = role.rules.flatMap(
    (rule: { resources: string[]; verbs: string[] }) =>
      rule.verbs.includes('create') ? rule.resources : [],
  );
  expect(covered.sort()).toEqual(Object.values(PLURALS).sort());
});
