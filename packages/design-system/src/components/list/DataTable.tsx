import {
  type ComponentProps,
  type CSSProperties,
  type ReactNode,
  type RefObject,
  useRef,
  useState,
} from 'react';
import {
  Cell,
  Column,
  Row,
  TableBody,
  TableHeader,
  TableRoot,
  useBreakpoint,
  VisuallyHidden,
} from '@backstage/ui';
import { LoadingRows } from '../states/states';
import type { ColumnChoice, DataColumn } from './DataColumn';
import { useFocusNearby } from './focusNearby';
import { sortRows, type TableSort } from './sorting';
import { type BulkAction, TableTools } from './TableTools';
import { useRowWindow } from './useRowWindow';
import './DataTable.css';

/** Rows that a loading table in a panel has room for, if their number is not known. */
const PANEL_ROWS = 2;

/** Minimum height of a row and of the header, in pixels. */
const LEAST_HEIGHT = 36;

/** Props of {@link DataTable}. */
export interface DataTableProps<T extends object> {
  /** The accessible name of the table. */
  label: string;
  /** The first column is the row header. */
  columns: readonly DataColumn<T>[];
  /** Undefined while loading. */
  rows: readonly T[] | undefined;
  rowId(row: T): string | number;
  /** The row with open details; empty or undefined if there are none. */
  selectedId?: string | number;
  /** Makes the whole row a link. */
  hrefOf?(row: T): string | undefined;
  /** Called when a row is clicked, or opened with Enter. */
  onOpen?(id: string): void;
  /** The result of `useUrlSort`; without it the rows keep their order. */
  sort?: TableSort;
  /** Label of the loading state, for screen readers. */
  loading?: string;
  /** Number of rows that are loading, if known, so that content below does not move. */
  expected?: number;
  /** Shown if the rows could not be loaded, such as an ErrorPanel. */
  failure?: ReactNode;
  /** Shown if there are no rows, such as an EmptyState. */
  empty?: ReactNode;
  /** True inside a Panel, which already has a frame. */
  isPlain?: boolean;
  /** The result of `useUrlColumns`: lets the user choose the columns. */
  columnChoice?: ColumnChoice;
  /** Offers the rows as a CSV file with this name, without its extension. */
  exportAs?: string;
  /** Makes rows selectable: actions on several rows at once, if there are any. */
  bulk?: readonly BulkAction<T>[];
}

/**
 * The product's list component: rows below a sticky header, arrow keys to move between rows,
 * columns that are hidden in small windows and next to a panel, and a highlight on the open row.
 * When the focused row disappears, the next one gets the focus. Without rows it shows that they are
 * loading, why there are none, or the failure. Long tables render only the rows in view, each on a
 * single line.
 */
export function DataTable<T extends object>(props: DataTableProps<T>) {
  const { label, rows, failure, empty, loading = label, isPlain } = props;
  const frame = useRef<HTMLDivElement>(null);
  const tools = useRef<HTMLDivElement>(null);
  // Kept here, not in the table, because `useFocusNearby` runs when this component renders.
  const selection = useState<ReadonlySet<string>>(new Set());
  useFocusNearby(frame, {
    tools,
    has: ({ dataset: { key } }) =>
      rows?.some(row => String(props.rowId(row)) === key) ?? false,
  });
  if (!rows) {
    // In a panel there are few rows, and often another panel below.
    const { expected = isPlain ? PANEL_ROWS : undefined } = props;
    // One more for the header.
    const room = expected && expected + 1;
    return <>{failure || <LoadingRows label={loading} rows={room} />}</>;
  }
  if (rows.length === 0 && empty !== undefined) {
    return <>{empty}</>;
  }
  return <Rows {...props} {...{ rows, frame, tools, selection }} />;
}

function Rows<T extends object>(
  props: DataTableProps<T> & {
    rows: readonly T[];
    frame: RefObject<HTMLDivElement>;
    tools: RefObject<HTMLDivElement>;
    /** The ids of the selected rows, with their setter. */
    selection: [ReadonlySet<string>, (ids: ReadonlySet<string>) => void];
  },
) {
  const { frame, label, rowId, hrefOf, onOpen, sort, columnChoice } = props;
  const bulk = props.bulk?.length ? props.bulk : undefined;
  const { up } = useBreakpoint();
  const [selectedIds, setSelectedIds] = props.selection;
  const selectedId = props.selectedId === '' ? undefined : props.selectedId;
  const isBeside = selectedId !== undefined;
  const room = { isNarrow: !up('sm') };
  const chosen = props.columns.filter(({ id, isExtra }, index) =>
    columnChoice?.chosen
      ? index === 0 || columnChoice.chosen.includes(id)
      : !isExtra,
  );
  const columns = chosen.filter(
    ({ from, beside }) =>
      (!from || up(from)) && !(isBeside && beside === false),
  );
  const [header] = columns;
  // On a phone, where few columns are visible, the row header takes the remaining width.
  const widthOf = (column: DataColumn<T>) =>
    column === header && room.isNarrow
      ? undefined
      : (isBeside && column.widthBeside) || column.width;
  const rows = sort
    ? sortRows(props.rows, props.columns, sort.order)
    : props.rows;
  const inSight = useRowWindow(rows.length, frame);
  const selected = bulk
    ? rows.filter(row => selectedIds.has(String(rowId(row))))
    : [];
  const table = (
    <TableRoot
      aria-label={label}
      {...(inSight && {
        render: attributes => (
          <table
            {...(attributes as ComponentProps<'table'>)}
            aria-rowcount={rows.length + 1}
          />
        ),
      })}
      {...(onOpen && { onRowAction: key => onOpen(String(key)) })}
      {...(sort && {
        sortDescriptor: sort.order,
        onSortChange: order => sort.setOrder(order as typeof sort.order),
      })}
      {...(bulk && {
        selectionMode: 'multiple' as const,
        selectionBehavior: 'toggle' as const,
        // Not "all": after one row is deselected, only the rendered rows would stay selected.
        selectedKeys: selectedIds,
        onSelectionChange: keys =>
          setSelectedIds(
            new Set(
              keys === 'all'
                ? rows.map(row => String(rowId(row)))
                : [...keys].map(String),
            ),
          ),
      })}
    >
      <TableHeader columns={columns}>
        {column => (
          <Column
            id={column.id}
            isRowHeader={column === header}
            allowsSorting={sort && column.sortBy !== undefined}
            className={column.isNumber ? 'slw-DataTableNumber' : undefined}
            style={{ width: widthOf(column) }}
          >
            {column.hidesLabel ? (
              <VisuallyHidden>{column.label}</VisuallyHidden>
            ) : (
              column.label
            )}
          </Column>
        )}
      </TableHeader>
      <TableBody
        items={inSight ? rows.slice(inSight.start, inSight.end) : rows}
        dependencies={[columns, selectedId, hrefOf, room.isNarrow]}
      >
        {row => (
          <Row
            id={rowId(row)}
            columns={columns}
            dependencies={[room.isNarrow]}
            href={hrefOf?.(row)}
            render={attributes => (
              <tr
                {...(attributes as ComponentProps<'tr'>)}
                {...(inSight && { 'aria-rowindex': rows.indexOf(row) + 2 })}
                {...(bulk
                  ? { 'aria-current': rowId(row) === selectedId || undefined }
                  : {
                      'aria-selected': rowId(row) === selectedId || undefined,
                    })}
                data-open={rowId(row) === selectedId || undefined}
              />
            )}
          >
            {(column: DataColumn<T>) => (
              <Cell
                textValue={column.text?.(row)}
                className={column.isNumber ? 'slw-DataTableNumber' : undefined}
              >
                <CellContent>{column.cell(row, room)}</CellContent>
              </Cell>
            )}
          </Row>
        )}
      </TableBody>
    </TableRoot>
  );
  const hasTools =
    columnChoice !== undefined ||
    props.exportAs !== undefined ||
    selected.length > 0;
  return (
    <>
      {hasTools && (
        <TableTools
          place={props.tools}
          columns={props.columns}
          shown={chosen}
          choice={columnChoice}
          exportAs={props.exportAs}
          rows={rows}
          selected={selected}
          bulk={bulk ?? []}
          onClear={() => setSelectedIds(new Set())}
        />
      )}
      <div
        ref={frame}
        className={props.isPlain ? undefined : 'slw-DataTable'}
        data-long={inSight !== undefined || undefined}
        style={
          inSight
            ? ({
                '--slw-rows-before': `${inSight.before}px`,
                '--slw-rows-after': `${inSight.after}px`,
              } as CSSProperties)
            : // The table renders its rows a moment later, and must not move what is below until then.
              { minHeight: (rows.length + 1) * LEAST_HEIGHT }
        }
      >
        {table}
      </div>
    </>
  );
}

function CellContent({ children }: { children: ReactNode }) {
  return typeof children === 'string' ? (
    <span className="slw-DataTableText" title={children}>
      {children}
    </span>
  ) : (
    <>{children}</>
  );
}
