import { type ReactNode, useState } from 'react';
import { Button } from '@backstage/ui';
import { RiDeleteBinLine, RiPencilLine } from '@remixicon/react';
import { QueryTable, useErrorWords } from '@slipway/app-react';
import {
  ConfirmDialog,
  type DataColumn,
  IconButton,
  Panel,
} from '@slipway/design-system';
import { useMayChange } from '../queries/access';
import styles from '../pages/AccessPage.module.css';

/** The texts of a panel of records; texts that contain the name of a record are functions of it. */
interface RecordTexts {
  title: string;
  create: string;
  name: string;
  edit: string;
  failed: string;
  loading: string;
  editNamed(name: string): string;
  removeNamed(name: string): string;
  removeTitle(name: string): string;
  removeConfirm: string;
  removeText: string;
}

/** A panel of named records, which admins create, change and delete. */
export function NamedRecords<T extends { name: string }>(props: {
  texts: RecordTexts;
  query: Parameters<typeof QueryTable<readonly T[], T>>[0]['query'];
  /** The columns between the name and the actions. */
  columns: readonly DataColumn<T>[];
  /** Shows the name of a record; by default as text. */
  nameOf?: (record: T) => ReactNode;
  /** Shows the dialog that changes a record, or creates one. */
  dialog: (record: T | undefined, close: () => void) => ReactNode;
  /** Returns whether a record cannot be deleted, e.g. because it is built in. */
  stays?: (name: string) => boolean;
  onRemove(name: string): Promise<unknown>;
}) {
  const { stays = () => false } = props;
  const { texts, nameOf = ({ name }) => name } = props;
  const errorWords = useErrorWords();
  const mayChange = useMayChange();
  const [edited, setEdited] = useState<T | 'new'>();
  const [removed, setRemoved] = useState<string>();
  const columns: DataColumn<T>[] = [
    {
      id: 'name',
      label: texts.name,
      text: ({ name }) => name,
      cell: record => <span className={styles.name}>{nameOf(record)}</span>,
    },
    ...props.columns,
    {
      id: 'actions',
      label: texts.edit,
      hidesLabel: true,
      width: 96,
      cell: record =>
        mayChange && (
          <span className={styles.actions}>
            <IconButton
              label={texts.editNamed(record.name)}
              icon={<RiPencilLine size={16} />}
              onPress={() => setEdited(record)}
            />
            {!stays(record.name) && (
              <IconButton
                label={texts.removeNamed(record.name)}
                icon={<RiDeleteBinLine size={16} />}
                onPress={() => setRemoved(record.name)}
              />
            )}
          </span>
        ),
    },
  ];
  return (
    <Panel
      title={texts.title}
      padded={false}
      action={
        mayChange && (
          <Button
            size="small"
            variant="secondary"
            onPress={() => setEdited('new')}
          >
            {texts.create}
          </Button>
        )
      }
    >
      <QueryTable
        isPlain
        label={texts.title}
        query={props.query}
        rowsOf={records => records}
        failed={texts.failed}
        loading={texts.loading}
        rowId={({ name }) => name}
        columns={columns}
      />
      {edited &&
        props.dialog(edited === 'new' ? undefined : edited, () =>
          setEdited(undefined),
        )}
      <ConfirmDialog
        isOpen={removed !== undefined}
        onOpenChange={isOpen => !isOpen && setRemoved(undefined)}
        title={texts.removeTitle(removed ?? '')}
        confirmLabel={texts.removeConfirm}
        describeError={errorWords}
        onConfirm={async () => {
          if (removed !== undefined) {
            await props.onRemove(removed);
          }
        }}
      >
        {texts.removeText}
      </ConfirmDialog>
    </Panel>
  );
}
