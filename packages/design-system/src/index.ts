// The most used controls of @backstage/ui, styled with the tokens of this package.
export { Button, Card, CardBody, CardFooter, CardHeader } from '@backstage/ui';
export { IconButton } from './components/button/IconButton';
export type { IconButtonProps } from './components/button/IconButton';
export { usePanelTitle } from './components/page/tabTitle';
export { Page, PageHeader } from './components/page/Page';
export type {
  PageHeaderProps,
  PageLink,
  PageProps,
} from './components/page/Page';
export { FilterBar } from './components/filters/FilterBar';
export type {
  FilterBarProps,
  FilterSelect,
} from './components/filters/FilterBar';
export { useUrlFilters } from './components/filters/useUrlFilters';
export type { Filters, UrlFilters } from './components/filters/useUrlFilters';
export { PeriodPicker } from './components/period/PeriodPicker';
export type { PeriodPickerProps } from './components/period/PeriodPicker';
export {
  daysIn,
  formatDay,
  formatDays,
  formatRange,
  isLikelyDay,
  resolvePeriod,
  today,
  todayIn,
} from './components/period/period';
export type { DayRange } from './components/period/period';
export { RatingScale } from './components/scale/RatingScale';
export type { RatingScaleProps } from './components/scale/RatingScale';
export {
  EmptyState,
  ErrorPanel,
  LoadingBlock,
  LoadingRows,
  Skeletons,
} from './components/states/states';
export type {
  EmptyStateProps,
  ErrorPanelProps,
  SkeletonsProps,
} from './components/states/states';
export { StatusBadge } from './components/status/StatusBadge';
export type { StatusBadgeProps, Tone } from './components/status/StatusBadge';
export { StepList } from './components/steps/StepList';
export type {
  Step,
  StepListProps,
  StepState,
} from './components/steps/StepList';
export { LogView } from './components/log/LogView';
export type { LogLine, LogViewProps } from './components/log/LogView';
export { Duration, RelativeTime } from './components/time/RelativeTime';
export type {
  DurationProps,
  RelativeTimeProps,
} from './components/time/RelativeTime';
export {
  formatAbsolute,
  formatClock,
  formatDuration,
  formatMoment,
  formatRelative,
  localTime,
  readLocalTime,
} from './components/time/formatTime';
export {
  formatBrief,
  formatNumber,
  formatPercent,
  formatSize,
} from './components/number/formatNumber';
export { CodeLine, CopyButton, saveFile } from './components/copy/CopyButton';
export type {
  CodeLineProps,
  CopyButtonProps,
} from './components/copy/CopyButton';
export { ConfirmDialog, Modal } from './components/dialog/ConfirmDialog';
export type {
  ConfirmDialogProps,
  ModalProps,
} from './components/dialog/ConfirmDialog';
export { DialogForm, Done, OpenDialog } from './components/dialog/DialogForm';
export type {
  DialogFormProps,
  OpenDialogProps,
} from './components/dialog/DialogForm';
export { Details, Panel } from './components/layout/Panel';
export type { DetailsProps, PanelProps } from './components/layout/Panel';
export { Prose } from './components/prose/Prose';
export type { ProseProps } from './components/prose/Prose';
export { Steady } from './components/layout/Steady';
export type { SteadyProps } from './components/layout/Steady';
export { ListAndPanel, SidePanel } from './components/list/ListAndPanel';
export type {
  ListAndPanelProps,
  SidePanelProps,
} from './components/list/ListAndPanel';
export { DataTable } from './components/list/DataTable';
export type { DataTableProps } from './components/list/DataTable';
export { writeCsv } from './components/list/toCsv';
export { useUrlColumns } from './components/list/DataColumn';
export type {
  CellRoom,
  ColumnChoice,
  DataColumn,
} from './components/list/DataColumn';
export { useFocusNearby } from './components/list/focusNearby';
export { formatNames } from './components/list/TableTools';
export type { BulkAction } from './components/list/TableTools';
export {
  formatOrder,
  parseOrder,
  sortRows,
  useUrlSort,
} from './components/list/sorting';
export type { SortOrder, TableSort } from './components/list/sorting';
export {
  isPastEnd,
  Pager,
  usePagedFilters,
  useUrlPage,
} from './components/list/Pager';
export type { PagerProps } from './components/list/Pager';
export { InfoButton, Tile } from './components/tiles/Tile';
export type {
  InfoButtonProps,
  TileChange,
  TileProps,
} from './components/tiles/Tile';
export { durationScale, numberScale } from './components/charts/scales';
export type { ChartScale } from './components/charts/scales';
export { METRIC_COLORS } from './components/charts/metricColors';
export { Sparkline } from './components/charts/Sparkline';
export type { SparklineProps } from './components/charts/Sparkline';
export { TimeSeriesChart } from './components/charts/TimeSeriesChart';
export type {
  ChartPoint,
  TimeSeriesChartProps,
} from './components/charts/TimeSeriesChart';
export { SeriesChart, SeriesTable } from './components/charts/SeriesTable';
export type {
  SeriesChartProps,
  SeriesTableProps,
} from './components/charts/SeriesTable';
export { TEXT_COLORS } from './tokens/tokens';
export type { ColorMode } from './tokens/tokens';
export { modeTokens, scaleTokens } from './tokens/stylesheet';
export type { Variables } from './tokens/stylesheet';
export { contrastRatio } from './tokens/contrast';
