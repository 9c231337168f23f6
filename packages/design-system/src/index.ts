// The controls of @backstage/ui that pages use most, in the tokens of this package.
export { Button, Card, CardBody, CardFooter, CardHeader } from '@backstage/ui';
export { Page } from './components/page/Page';
export type { PageProps } from './components/page/Page';
export { PageHeader } from './components/page/PageHeader';
export type { PageHeaderProps, PageLink } from './components/page/PageHeader';
export { FilterBar } from './components/filters/FilterBar';
export type {
  FilterBarProps,
  FilterSelect,
} from './components/filters/FilterBar';
export { useUrlFilters } from './components/filters/useUrlFilters';
export type { UrlFilters } from './components/filters/useUrlFilters';
export { PeriodPicker } from './components/period/PeriodPicker';
export type { PeriodPickerProps } from './components/period/PeriodPicker';
export {
  daysIn,
  formatRange,
  resolvePeriod,
  todayIn,
} from './components/period/period';
export { formatDay, formatDays } from './components/period/formatDays';
export type { DayRange } from './components/period/period';
export { RatingScale } from './components/scale/RatingScale';
export type { RatingScaleProps } from './components/scale/RatingScale';
export { EmptyState } from './components/states/EmptyState';
export type { EmptyStateProps } from './components/states/EmptyState';
export { ErrorPanel } from './components/states/ErrorPanel';
export type { ErrorPanelProps } from './components/states/ErrorPanel';
export {
  LoadingBlock,
  LoadingRows,
  Skeletons,
} from './components/states/Skeletons';
export type { SkeletonsProps } from './components/states/Skeletons';
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
export { RelativeTime } from './components/time/RelativeTime';
export type { RelativeTimeProps } from './components/time/RelativeTime';
export { Duration } from './components/time/Duration';
export type { DurationProps } from './components/time/Duration';
export {
  formatAbsolute,
  formatDuration,
  formatRelative,
} from './components/time/formatTime';
export { CopyButton } from './components/copy/CopyButton';
export type { CopyButtonProps } from './components/copy/CopyButton';
export { CodeLine } from './components/copy/CodeLine';
export type { CodeLineProps } from './components/copy/CodeLine';
export { Modal } from './components/dialog/Modal';
export type { ModalProps } from './components/dialog/Modal';
export { DialogForm } from './components/dialog/DialogForm';
export type { DialogFormProps } from './components/dialog/DialogForm';
export { ConfirmDialog } from './components/dialog/ConfirmDialog';
export type { ConfirmDialogProps } from './components/dialog/ConfirmDialog';
export { Panel } from './components/layout/Panel';
export type { PanelProps } from './components/layout/Panel';
export { SidePanel } from './components/layout/SidePanel';
export type { SidePanelProps } from './components/layout/SidePanel';
export { ListAndPanel } from './components/layout/ListAndPanel';
export type { ListAndPanelProps } from './components/layout/ListAndPanel';
export { TableFrame } from './components/layout/TableFrame';
export type { TableFrameProps } from './components/layout/TableFrame';
export { Tile } from './components/tiles/Tile';
export type { TileChange, TileProps } from './components/tiles/Tile';
export { InfoButton } from './components/tiles/InfoButton';
export type { InfoButtonProps } from './components/tiles/InfoButton';
export { niceTicks } from './components/charts/niceTicks';
export { Sparkline } from './components/charts/Sparkline';
export type { SparklineProps } from './components/charts/Sparkline';
export { TimeSeriesChart } from './components/charts/TimeSeriesChart';
export type { ChartPoint } from './components/charts/ChartTooltip';
export type { TimeSeriesChartProps } from './components/charts/TimeSeriesChart';
export { SeriesTable } from './components/charts/SeriesTable';
export type { SeriesTableProps } from './components/charts/SeriesTable';
export { Details } from './components/layout/Details';
export type { DetailsProps } from './components/layout/Details';
export { colors } from './tokens/tokens';
export type { ColorMode, ModeColors } from './tokens/tokens';
export { contrastRatio } from './tokens/contrast';
