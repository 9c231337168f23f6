import type { ComponentProps, ReactNode } from 'react';
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
import { sortRows, type TableSort } from './sorting';
import './DataTable.css';

/** What a cell can do with the room that there is. */
export interface CellRoom {
  /** Below 768 px: one cell may have to tell what others tell in a wide window. */
  isNarrow: boolean;
}

/** A column of a {@link DataTable}. */
export interface DataColumn<T> {
  id: string;
  /** Head of the column. */
  label: string;
  /** Read out, and not shown: for a column of buttons. */
  hidesLabel?: boolean;
  /** The content of a row's cell; a text is cut off where it is too long, and shown whole on hover. */
  cell(row: T, room: CellRoom): ReactNode;
  /** The row's name in plain text, in the first column. */
  text?(row: T): string;
  /** Aligned to the end, with figures of one width. */
  isNumber?: boolean;
  /** Pixels, or a part of the table such as `14%`; columns without a width share what is left. */
  width?: number | string;
  /** The width while a panel stands beside the table. */
  widthBeside?: string;
  /** The smallest window that has room for the column: 640, 768, 1024 or 1280 px. */
  from?: 'xs' | 'sm' | 'md' | 'lg';
  /** False for a column that gives way to a panel beside the table. */
  beside?: false;
  /** Makes the column sortable: by texts or numbers, with null and undefined last. */
  sortBy?(row: T): string | number | null | undefined;
}

/** Props of {@link DataTable}. */
export interface DataTableProps<T extends object> {
  /** The accessible name of the table. */
  label: string;
  /** The first column is the header of its row. */
  columns: readonly DataColumn<T>[];
  /** Undefined while they are on their way. */
  rows: readonly T[] | undefined;
  rowId(row: T): string | number;
  /** The row whose details stand beside the table; empty and undefined while there are none. */
  selectedId?: string | number;
  /** Makes the whole row a link. */
  hrefOf?(row: T): string | undefined;
  /** Called when a row is pressed, or chosen with Enter. */
  onOpen?(id: string): void;
  /** From `useUrlSort`; without it the rows keep their order. */
  sort?: TableSort;
  /** What is loading, for those who do not see it. */
  loading?: string;
  /** Stands in place of rows that could not be read, such as an ErrorPanel. */
  failure?: ReactNode;
  /** Stands in place of no rows, such as an EmptyState. */
  empty?: ReactNode;
  /** True inside a Panel, which is a frame already. */
  isPlain?: boolean;
}

/**
 * The list of the product: rows under a head that stays in sight, with arrow keys from row to
 * row, columns that give way in small windows and beside a panel, and a mark on the row that is
 * open. Until there are rows it shows that they load, why there are none, or the failure.
 */
export function DataTable<T extends object>(props: DataTableProps<T>) {
  const { label, rows, rowId, hrefOf, onOpen, sort } = props;
  const { up } = useBreakpoint();
  if (!rows) {
    return (
      <>{props.failure || <LoadingRows label={props.loading ?? label} />}</>
    );
  }
  if (rows.length === 0 && props.empty !== undefined) {
    return <>{props.empty}</>;
  }
  const selectedId = props.selectedId === '' ? undefined : props.selectedId;
  const isBeside = selectedId !== undefined;
  const room = { isNarrow: !up('sm') };
  const columns = props.columns.filter(
    ({ from, beside }) =>
      (!from || up(from)) && !(isBeside && beside === false),
  );
  const [header] = columns;
  // Where a phone shows little else, the row's header takes what is left.
  const widthOf = (column: DataColumn<T>) =>
    column === header && room.isNarrow
      ? undefined
      : (isBeside && column.widthBeside) || column.width;
  const table = (
    <TableRoot
      aria-label={label}
      {...(onOpen && { onRowAction: key => onOpen(String(key)) })}
      {...(sort && {
        sortDescriptor: sort.order,
        onSortChange: order => sort.setOrder(order as typeof sort.order),
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
        items={sort ? sortRows(rows, columns, sort.order) : rows}
        dependencies={[columns, selectedId, hrefOf]}
      >
        {row => (
          <Row
            id={rowId(row)}
            columns={columns}
            href={hrefOf?.(row)}
            render={attributes => (
              <tr
                {...(attributes as ComponentProps<'tr'>)}
                aria-selected={rowId(row) === selectedId || undefined}
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
  return props.isPlain ? table : <div className="slw-DataTable">{table}</div>;
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
