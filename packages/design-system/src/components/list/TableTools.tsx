import type { ReactElement } from 'react';
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
import type { DataColumn } from './DataColumn';
import { toCsv } from './toCsv';
import type { ColumnChoice } from './useUrlColumns';

/** An action on several rows at once. */
export interface BulkAction<T> {
  id: string;
  /** A verb, e.g. "Star". */
  label: string;
  icon?: ReactElement;
  /** The rows stay selected until it resolves, and also if it rejects. */
  run(rows: readonly T[]): void | Promise<void>;
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
}) {
  const { columns, shown, choice, exportAs, rows, selected, bulk } = props;
  const run = async (action: BulkAction<T>) => {
    await action.run(selected);
    props.onClear();
  };
  return (
    <div className="slw-TableTools">
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
              onPress={() => void run(action)}
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
