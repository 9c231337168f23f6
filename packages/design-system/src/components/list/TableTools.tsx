import {
  type ReactElement,
  type ReactNode,
  type RefObject,
  useState,
} from 'react';
import {
  Button,
  MenuListBox,
  MenuListBoxItem,
  MenuTrigger,
} from '@backstage/ui';
import {
  RiCloseLine,
  RiDownloadLine,
  RiLayoutColumnLine,
} from '@remixicon/react';
import { messages } from '../../messages';
import { saveFile } from '../copy/CopyButton';
import { ConfirmDialog } from '../dialog/ConfirmDialog';
import { formatNumber } from '../number/formatNumber';
import type { ColumnChoice, DataColumn } from './DataColumn';
import { toCsv } from './toCsv';

/** An action on several rows at once. */
export interface BulkAction<T> {
  id: string;
  /** A verb, e.g. "Star". */
  label: string;
  icon?: ReactElement;
  /** Checks whether the action applies to a row; `run` gets only those rows. Defaults to all. */
  isFor?(row: T): boolean;
  /**
   * The question to ask first, if the action cannot be undone; it names the rows or their number.
   */
  confirm?(rows: readonly T[]): BulkQuestion;
  /** The rows stay selected until it resolves, and also if it rejects. */
  run(rows: readonly T[]): void | Promise<void>;
}

/** The question before an action on several rows. */
interface BulkQuestion {
  /** "Delete 3 workspaces?" */
  title: string;
  /** The verb and its object: "Delete workspaces". */
  label: string;
  /** Names the rows, and explains what will be lost. */
  text: ReactNode;
  /** False for an action that loses nothing. */
  destructive?: boolean;
}

/** Maximum number of names; the others are only counted. */
const SHOWN = 10;

/**
 * Joins names for the question before an action on several rows: "a, b and c"; of more than ten,
 * the first ten and the number of the others.
 */
export function formatNames(names: readonly string[]): string {
  const list = new Intl.ListFormat('en-GB');
  return names.length <= SHOWN
    ? list.format(names)
    : list.format([
        ...names.slice(0, SHOWN),
        `${formatNumber(names.length - SHOWN)} more`,
      ]);
}

/** The buttons above a table: actions on the selected rows, column choice and export. */
export function TableTools<T>(props: {
  /** All columns in the order of the table, including hidden ones. */
  columns: readonly DataColumn<T>[];
  shown: readonly DataColumn<T>[];
  choice?: ColumnChoice;
  exportAs?: string;
  rows: readonly T[];
  selected: readonly T[];
  bulk: readonly BulkAction<T>[];
  onClear(): void;
  /** Is set to the element around the buttons. */
  place: RefObject<HTMLDivElement>;
}) {
  const { columns, shown, choice, exportAs, rows, selected, bulk } = props;
  const [asking, setAsking] = useState<BulkAction<T>>();
  const [isRunning, setRunning] = useState(false);
  const rowsOf = ({ isFor }: BulkAction<T>) =>
    isFor ? selected.filter(row => isFor(row)) : selected;
  const run = async (action: BulkAction<T>) => {
    setRunning(true);
    try {
      await action.run(rowsOf(action));
      props.onClear();
    } finally {
      setRunning(false);
    }
  };
  const question = asking?.confirm?.(rowsOf(asking));
  return (
    <div ref={props.place} className="slw-TableTools">
      {selected.length > 0 && (
        <div
          className="slw-TableToolsBulk"
          role="toolbar"
          aria-label={messages.selectedRows}
        >
          <span role="status">{messages.selected(selected.length)}</span>
          {bulk.map(action => (
            <Button
              key={action.id}
              size="small"
              variant="secondary"
              iconStart={action.icon}
              isDisabled={isRunning || rowsOf(action).length === 0}
              onPress={() =>
                action.confirm ? setAsking(action) : void run(action)
              }
            >
              {action.label}
            </Button>
          ))}
          <Button
            size="small"
            variant="tertiary"
            iconStart={<RiCloseLine size={16} />}
            onPress={props.onClear}
          >
            {messages.clearSelection}
          </Button>
        </div>
      )}
      {choice && <ColumnsMenu {...{ columns, shown, choice }} />}
      {exportAs !== undefined && (
        <Button
          size="small"
          variant="tertiary"
          iconStart={<RiDownloadLine size={16} />}
          isDisabled={rows.length === 0}
          onPress={() =>
            saveFile(`${exportAs}.csv`, {
              text: toCsv(rows, shown),
              type: 'text/csv',
            })
          }
        >
          {messages.exportCsv}
        </Button>
      )}
      {asking && question && (
        <ConfirmDialog
          isOpen
          onOpenChange={() => setAsking(undefined)}
          title={question.title}
          confirmLabel={question.label}
          destructive={question.destructive}
          onConfirm={() => run(asking)}
        >
          {question.text}
        </ConfirmDialog>
      )}
    </div>
  );
}

/** Chooses the columns of a table; the first, which names the row, is always shown. */
function ColumnsMenu<T>(props: {
  columns: readonly DataColumn<T>[];
  shown: readonly DataColumn<T>[];
  choice: ColumnChoice;
}) {
  const { columns, shown, choice } = props;
  const [, ...others] = columns;
  const standard = columns.filter(({ isExtra }) => !isExtra);
  const choose = (ids: readonly string[]) => {
    const isStandard =
      ids.length === standard.length &&
      standard.every(({ id }) => ids.includes(id));
    choice.choose(isStandard ? undefined : ids);
  };
  return (
    <MenuTrigger>
      <Button
        size="small"
        variant="tertiary"
        iconStart={<RiLayoutColumnLine size={16} />}
      >
        {messages.columns}
      </Button>
      <MenuListBox
        aria-label={messages.columns}
        selectionMode="multiple"
        // Closes the menu; by default, it would deselect everything.
        escapeKeyBehavior="none"
        selectedKeys={shown.map(({ id }) => id)}
        onSelectionChange={keys =>
          choose(
            columns
              .filter(
                ({ id }, index) =>
                  index === 0 || keys === 'all' || keys.has(id),
              )
              .map(({ id }) => id),
          )
        }
      >
        {others.map(({ id, label }) => (
          <MenuListBoxItem key={id} id={id}>
            {label}
          </MenuListBoxItem>
        ))}
      </MenuListBox>
    </MenuTrigger>
  );
}
