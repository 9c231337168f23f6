import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Link, TextField } from '@backstage/ui';
import { RiAddLine } from '@remixicon/react';
import {
  NewSecret,
  QueryTable,
  SendFailure,
  useErrorWords,
} from '@slipway/app-react';
import {
  ConfirmDialog,
  type DataColumn,
  DialogForm,
  EmptyState,
  OpenDialog,
  RelativeTime,
  StatusBadge,
  useUrlSort,
} from '@slipway/design-system';
import type { Agent } from '../api/BuildsApi';
import { useAgents, useChangeAgent, useInviteAgent } from '../queries';
import { containerWords, ServerIsolation } from './ServerIsolation';
import { useLinks } from '../routes';
import { buildsTranslationRef, type Translate } from '../translation';
import styles from './AgentsPage.module.css';

/** Lists the agents with their current builds and, for admins, actions. */
export function AgentsPage() {
  const { t } = useTranslationRef(buildsTranslationRef);
  const links = useLinks();
  const query = useAgents();
  const [isAdding, setIsAdding] = useState(false);
  const mayManage = query.data?.manageable ?? false;
  return (
    <>
      {mayManage && (
        <div className={styles.tools}>
          <Button
            variant="primary"
            iconStart={<RiAddLine />}
            onPress={() => setIsAdding(true)}
          >
            {t('agents.add')}
          </Button>
        </div>
      )}
      {isAdding && <AddDialog onClose={() => setIsAdding(false)} />}
      <QueryTable
        label={t('agents.label')}
        query={query}
        rowsOf={({ agents }) => agents}
        failed={t('agents.failed')}
        rowId={({ id }) => id}
        sort={useUrlSort(['name', 'seen'])}
        exportAs="agents"
        columns={columnsOf(t, { links, mayManage })}
        loading={t('agents.loading')}
        empty={
          <EmptyState
            title={t('agents.emptyTitle')}
            description={t('agents.emptyDescription')}
          />
        }
      />
      <ServerIsolation />
    </>
  );
}

function columnsOf(
  t: Translate,
  options: { links: ReturnType<typeof useLinks>; mayManage: boolean },
): DataColumn<Agent>[] {
  const { links, mayManage } = options;
  const columns: DataColumn<Agent>[] = [
    {
      id: 'name',
      label: t('agents.name'),
      text: ({ name }) => name,
      sortBy: ({ name }) => name,
      cell: agent => (
        <span className={styles.agent}>
          {agent.name}
          <AgentState agent={agent} />
        </span>
      ),
    },
    {
      id: 'labels',
      label: t('agents.labels'),
      from: 'sm',
      csv: ({ labels }) => labels.join(', '),
      cell: ({ labels }) => labels.join(', '),
    },
    {
      id: 'runs',
      label: t('agents.runs'),
      from: 'sm',
      cell: ({ running, capacity }) => (
        <span className={styles.running}>
          {t('agents.free', {
            running: String(running.length),
            capacity: String(capacity),
          })}
          {running.map(({ job, number }) => (
            <Link key={`${job} ${number}`} href={links.build(job, number)}>
              {job} #{number}
            </Link>
          ))}
        </span>
      ),
    },
    {
      id: 'isolation',
      label: t('agents.isolation'),
      from: 'lg',
      cell: ({ executor }) => isolationWords(t, executor),
    },
    {
      id: 'seen',
      label: t('agents.seen'),
      from: 'md',
      csv: ({ seenAt }) => seenAt && new Date(seenAt).toISOString(),
      sortBy: ({ seenAt }) => seenAt,
      cell: ({ seenAt }) =>
        seenAt === null ? t('agents.never') : <RelativeTime value={seenAt} />,
    },
  ];
  return mayManage
    ? [
        ...columns,
        {
          id: 'actions',
          label: t('agents.actions'),
          hidesLabel: true,
          width: 176,
          cell: agent => <AgentActions agent={agent} />,
        },
      ]
    : columns;
}

function isolationWords(t: Translate, executor: Agent['executor']): string {
  if (!executor) {
    return t('agents.never');
  }
  const { kind, limits, containers } = executor;
  const steps = limits === null ? kind : t('agents.limits', { kind, limits });
  return containers === null
    ? steps
    : t('agents.containers', {
        steps,
        containers: containerWords(t, containers),
      });
}

function AgentState({ agent }: { agent: Agent }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  if (!agent.connected) {
    return <StatusBadge tone="neutral" label={t('agents.away')} />;
  }
  return agent.state === 'draining' ? (
    <StatusBadge tone="warning" label={t('agents.draining')} />
  ) : (
    <StatusBadge tone="success" label={t('agents.connected')} />
  );
}

function AgentActions({ agent }: { agent: Agent }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const errorWords = useErrorWords();
  const [isAsking, setIsAsking] = useState(false);
  const { mutate, mutateAsync, error, isPending } = useChangeAgent();
  const { id, name, state } = agent;
  const change = state === 'draining' ? 'resume' : 'drain';
  return (
    <span className={styles.actions}>
      {error && !isAsking && (
        <SendFailure title={t('agents.changeFailed', { name })} error={error} />
      )}
      <Button
        size="small"
        variant="secondary"
        isPending={isPending}
        aria-label={`${t(`agents.${change}`)} ${name}`}
        onPress={() => mutate({ id, change })}
      >
        {t(`agents.${change}`)}
      </Button>
      <Button
        size="small"
        variant="tertiary"
        aria-label={`${t('agents.remove')} ${name}`}
        onPress={() => setIsAsking(true)}
      >
        {t('agents.remove')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={t('agents.removeTitle', { name })}
        confirmLabel={t('agents.remove')}
        describeError={errorWords}
        onConfirm={() => mutateAsync({ id, change: 'remove' })}
      >
        {t('agents.removeText')}
      </ConfirmDialog>
    </span>
  );
}

/** Creates a one-time token, and shows the command that starts an agent with it. */
function AddDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const [labels, setLabels] = useState('');
  const { mutate, error, isPending, data: token } = useInviteAgent();
  return (
    <OpenDialog
      title={t(token === undefined ? 'agents.addTitle' : 'agents.madeTitle')}
      onClose={onClose}
      // A click outside of the dialog would lose the token.
      isDismissable={token === undefined}
      isLocked={isPending}
    >
      {token === undefined ? (
        <DialogForm
          submitLabel={t('agents.create')}
          isPending={isPending}
          onSubmit={() => mutate(labels.split(/[\s,]+/).filter(Boolean))}
        >
          {error && <SendFailure title={t('agents.addFailed')} error={error} />}
          <p className={styles.text}>{t('agents.addText')}</p>
          <TextField
            // First field of the dialog.
            // eslint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            label={t('agents.addLabels')}
            description={t('agents.addLabelsHelp')}
            value={labels}
            onChange={setLabels}
          />
        </DialogForm>
      ) : (
        <NewSecret
          text={t('agents.madeText')}
          code={`SLIPWAY_ENROL_TOKEN=${token} \\\n  ./slipway agent --server <${t('agents.server')}>`}
          copy={t('agents.copy')}
          done={t('agents.done')}
        />
      )}
    </OpenDialog>
  );
}
