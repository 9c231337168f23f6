import { NotFoundError, type ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import type { Permissions } from '../access/Permissions.ts';
import { type Agent, agentOf, isConnected, labelsOf } from '../agents/Agent.ts';
import type { Build } from '../builds/Build.ts';
import type { AgentStore } from '../storage/AgentStore.ts';
import type { BuildReader } from '../storage/BuildReader.ts';
import { AnyObject } from './schemas.ts';
import { toXmlFile } from './toXml.ts';
import { exported, ExportQuery } from './tree.ts';
import { type Addresses, baseUrlOf, buildUrl } from './urls.ts';

/** A machine that runs builds: the server itself or an agent. */
interface Node {
  name: string;
  labels: readonly string[];
  capacity: number;
  isOffline: boolean;
  isDraining: boolean;
  running: readonly Build[];
  agent?: Agent;
}

const BUILT_IN = 'Built-In Node';
/** Names that clients use for the server itself, in lower case. */
const BUILT_IN_NAMES = new Set([
  ...['built-in', '(built-in)', 'master', '(master)'],
  BUILT_IN.toLowerCase(),
]);
const NodeParams = Type.Object({ name: Type.String({ maxLength: 200 }) });
const OfflineQuery = Type.Object({
  offlineMessage: Type.Optional(Type.String({ maxLength: 1_000 })),
});

/** Registers the routes that show the server and its agents as nodes of Jenkins. */
export function nodeRoutes(
  app: ServiceApp,
  options: {
    permissions: Permissions;
    store: BuildReader;
    agents: AgentStore;
    /** Builds that this process runs at a time. */
    executors: number;
    labels: ReadonlySet<string>;
    addresses: Addresses;
    now: () => number;
  },
): void {
  const { permissions, store, agents, executors, addresses, now } = options;
  const config = { access: permissions.read };

  const listNodes = async (): Promise<Node[]> => {
    const running = await store.listRunningBuilds();
    const own: Node = {
      name: BUILT_IN,
      labels: ['built-in', ...options.labels],
      capacity: executors,
      isOffline: executors === 0,
      isDraining: false,
      running: running.filter(({ worker }) => agentOf(worker) === undefined),
    };
    const others = (await agents.list()).map(agent => ({
      name: agent.name,
      labels: [...labelsOf(agent)],
      capacity: agent.capacity,
      isOffline: !isConnected(agent, now()) || agent.state === 'draining',
      isDraining: agent.state === 'draining',
      running: running.filter(({ worker }) => agentOf(worker) === agent.id),
      agent,
    }));
    return [own, ...others];
  };

  /** @throws NotFoundError */
  const findNode = async (name: string): Promise<Node> => {
    const [own, ...others] = await listNodes();
    const found = BUILT_IN_NAMES.has(name.toLowerCase())
      ? own
      : others.find(node => node.name === name);
    if (!found) {
      throw new NotFoundError(`Node ${name} not found`);
    }
    return found;
  };

  const read = (summary: string) => ({
    config,
    preHandler: exported,
    schema: {
      tags: ['server'],
      summary,
      querystring: ExportQuery,
      response: { 200: AnyObject },
    },
  });

  for (const form of ['json', 'xml']) {
    app.get(
      `/computer/api/${form}`,
      read('List the server and its agents as nodes of Jenkins'),
      async request => {
        const nodes = await listNodes();
        return {
          _class: 'hudson.model.ComputerSet',
          displayName: 'Nodes',
          busyExecutors: sum(nodes, ({ running }) => running.length),
          totalExecutors: sum(nodes, ({ capacity }) => capacity),
          computer: nodes.map(node =>
            presentNode(node, baseUrlOf(request, addresses)),
          ),
        };
      },
    );

    const one = read('Get the server or an agent as a node of Jenkins');
    app.get(
      `/computer/:name/api/${form}`,
      { ...one, schema: { ...one.schema, params: NodeParams } },
      async request =>
        presentNode(
          await findNode(request.params.name),
          baseUrlOf(request, addresses),
        ),
    );
  }

  const label = read('Get the nodes that have a label');
  app.get(
    '/label/:name/api/json',
    { ...label, schema: { ...label.schema, params: NodeParams } },
    async ({ params }) => {
      const nodes = (await listNodes()).filter(({ labels }) =>
        labels.includes(params.name),
      );
      const online = nodes.filter(({ isOffline }) => !isOffline);
      const total = sum(online, ({ capacity }) => capacity);
      const busy = sum(online, ({ running }) => running.length);
      return {
        _class: 'hudson.model.labels.LabelAtom',
        name: params.name,
        nodes: nodes.map(({ name, agent }) => ({
          nodeName: agent ? name : '',
        })),
        offline: online.length === 0,
        totalExecutors: total,
        busyExecutors: busy,
        idleExecutors: Math.max(0, total - busy),
      };
    },
  );

  app.get(
    '/computer/:name/config.xml',
    {
      config,
      schema: {
        tags: ['server'],
        summary: "Read a node in the format of Jenkins' config.xml",
        params: NodeParams,
      },
    },
    async ({ params }, reply) => {
      const { name, capacity, labels } = await findNode(params.name);
      return reply.type('text/xml; charset=utf-8').send(
        toXmlFile('slave', {
          name,
          numExecutors: capacity,
          label: labels.join(' '),
        }),
      );
    },
  );

  app.post(
    '/computer/:name/toggleOffline',
    {
      config: { access: permissions.admin, faults: ['notFound'] },
      schema: {
        tags: ['server'],
        summary: 'Drain an agent, or give a drained one builds again',
        params: NodeParams,
        querystring: OfflineQuery,
        response: { 302: { description: 'Its state has changed.' } },
      },
    },
    async (request, reply) => {
      const { agent, name } = await findNode(request.params.name);
      if (!agent) {
        throw new NotFoundError(
          'Only agents can be taken offline, not the server itself',
        );
      }
      await agents.setState(
        agent.id,
        agent.state === 'draining' ? 'active' : 'draining',
      );
      const base = baseUrlOf(request, addresses);
      return reply.redirect(
        `${base}/computer/${encodeURIComponent(name)}/api/json`,
      );
    },
  );
}

function presentNode(node: Node, base: string) {
  const slots = Math.max(node.capacity, node.running.length);
  return {
    _class: node.agent
      ? 'hudson.slaves.SlaveComputer'
      : 'hudson.model.Hudson$MasterComputer',
    displayName: node.name,
    description: '',
    executors: Array.from({ length: slots }, (_, number) => {
      const build = node.running.at(number);
      return {
        number,
        idle: build === undefined,
        likelyStuck: false,
        currentExecutable: build
          ? {
              _class: 'hudson.model.FreeStyleBuild',
              number: build.number,
              url: buildUrl(base, build),
            }
          : null,
      };
    }),
    idle: node.running.length === 0,
    offline: node.isOffline,
    offlineCauseReason: '',
    temporarilyOffline: node.isDraining,
    numExecutors: node.capacity,
    jnlpAgent: false,
    manualLaunchAllowed: true,
    assignedLabels: node.labels.map(name => ({ name })),
  };
}

function sum(nodes: readonly Node[], of: (node: Node) => number): number {
  return nodes.reduce((total, node) => total + of(node), 0);
}
