import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Combobox, TextField } from '@backstage/ui';
import { QueryTable, SendFailure } from '@slipway/app-react';
import { DialogForm, OpenDialog, Panel } from '@slipway/design-system';
import type { Project } from '../api/registers';
import { OwnerName } from '../components/OwnerName';
import { useFlags } from '../queries/flags';
import {
  usePossibleOwners,
  useProjects,
  useSaveProject,
} from '../queries/registers';
import { useMayChange } from '../queries/access';
import { flagsTranslationRef } from '../translation';
import { TagTypesPanel } from './TagTypesPanel';
import { TransferPanel } from './Transfer/TransferPanel';
import styles from './AccessPage.module.css';

/** Projects with their owners, types of tags, and import and export. */
export function ProjectsPage() {
  const { t } = useTranslationRef(flagsTranslationRef);
  const mayChange = useMayChange();
  const { data: flags } = useFlags(false);
  const [edited, setEdited] = useState<Project | 'new'>();
  const countOf = (id: string) =>
    flags?.filter(({ project }) => project === id).length;
  return (
    <div className={styles.stack}>
      <Panel
        title={t('projects.title')}
        padded={false}
        action={
          mayChange && (
            <Button
              size="small"
              variant="secondary"
              onPress={() => setEdited('new')}
            >
              {t('projects.create')}
            </Button>
          )
        }
      >
        <QueryTable
          isPlain
          label={t('projects.title')}
          query={useProjects()}
          rowsOf={projects => projects}
          failed={t('projects.failed')}
          loading={t('projects.loading')}
          rowId={({ id }) => id}
          columns={[
            {
              id: 'name',
              label: t('projects.name'),
              text: ({ name }) => name,
              cell: ({ name }) => <span className={styles.name}>{name}</span>,
            },
            {
              id: 'owner',
              label: t('projects.owner'),
              cell: ({ owner }) =>
                owner ? (
                  <OwnerName owner={owner} />
                ) : (
                  <span className={styles.quiet}>{t('projects.admins')}</span>
                ),
            },
            {
              id: 'flags',
              label: t('projects.flags'),
              isNumber: true,
              from: 'sm',
              width: 96,
              cell: ({ id }) => countOf(id) ?? '',
            },
            {
              id: 'edit',
              label: t('projects.edit'),
              hidesLabel: true,
              width: 96,
              cell: project =>
                mayChange && (
                  <Button
                    size="small"
                    variant="tertiary"
                    aria-label={t('projects.editNamed', { name: project.name })}
                    onPress={() => setEdited(project)}
                  >
                    {t('projects.edit')}
                  </Button>
                ),
            },
          ]}
        />
      </Panel>
      <TagTypesPanel />
      <TransferPanel />
      {edited && (
        <ProjectDialog
          project={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </div>
  );
}

/** Ids that the service accepts. */
const ID = /^(?!\.{1,2}$)[A-Za-z0-9_.~-]{1,100}$/;

/** Creates a project, or changes its name and owner. */
function ProjectDialog(props: {
  project: Project | undefined;
  onClose(): void;
}) {
  const { project, onClose } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const { data: owners = [] } = usePossibleOwners();
  const { mutate, error, isPending } = useSaveProject();
  const [id, setId] = useState(project?.id ?? '');
  const [name, setName] = useState(project?.name ?? '');
  const [owner, setOwner] = useState(project?.owner ?? null);
  const [isChecked, setIsChecked] = useState(false);
  const isIdRight = ID.test(id.trim());
  const onSubmit = () => {
    setIsChecked(true);
    if (isIdRight) {
      mutate(
        {
          isNew: project === undefined,
          project: { id: id.trim(), name: name.trim() || id.trim(), owner },
        },
        { onSuccess: onClose },
      );
    }
  };
  const title = project
    ? t('projects.editNamed', { name: project.name })
    : t('projects.create');
  const refs = new Set([...owners, ...(owner ? [owner] : [])]);
  return (
    <OpenDialog title={title} onClose={onClose}>
      <DialogForm
        submitLabel={t(project ? 'projects.save' : 'projects.create')}
        isPending={isPending}
        onSubmit={onSubmit}
      >
        {error && (
          <SendFailure title={t('projects.saveFailed')} error={error} />
        )}
        {!project && (
          <TextField
            // The dialog is opened to enter the id.
            // eslint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            label={t('projects.id')}
            description={t('projects.idHelp')}
            maxLength={100}
            value={id}
            onChange={setId}
            validationBehavior="aria"
            validate={() => !isChecked || isIdRight || t('create.nameWrong')}
          />
        )}
        <TextField
          label={t('projects.name')}
          maxLength={200}
          value={name}
          onChange={setName}
        />
        <Combobox
          label={t('projects.owner')}
          description={t('projects.ownerHelp')}
          value={owner}
          onChange={key => setOwner(key === null ? null : String(key))}
          options={[...refs].map(ref => ({ value: ref, label: ref }))}
        />
        {owner !== null && (
          <div>
            <Button
              size="small"
              variant="tertiary"
              onPress={() => setOwner(null)}
            >
              {t('projects.noOwner')}
            </Button>
          </div>
        )}
      </DialogForm>
    </OpenDialog>
  );
}
