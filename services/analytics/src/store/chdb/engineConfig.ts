import { writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * chDB's configuration, with fewer threads and smaller caches than the defaults, which suit
 * a server.
 */
const CONFIG = `<clickhouse>
  <mark_cache_size>67108864</mark_cache_size>
  <uncompressed_cache_size>0</uncompressed_cache_size>
  <background_pool_size>2</background_pool_size>
  <background_merges_mutations_concurrency_ratio>2</background_merges_mutations_concurrency_ratio>
  <background_schedule_pool_size>2</background_schedule_pool_size>
  <background_common_pool_size>2</background_common_pool_size>
  <background_fetches_pool_size>1</background_fetches_pool_size>
  <background_move_pool_size>1</background_move_pool_size>
  <background_buffer_flush_schedule_pool_size>1</background_buffer_flush_schedule_pool_size>
  <background_distributed_schedule_pool_size>1</background_distributed_schedule_pool_size>
  <background_message_broker_schedule_pool_size>1</background_message_broker_schedule_pool_size>
  <max_server_memory_usage>MEMORY</max_server_memory_usage>BACKUPS
</clickhouse>
`;

/** Writes chDB's configuration file. @returns its path. */
export function writeEngineConfig(options: {
  directory: string;
  backups?: string;
  memoryBytes: number;
}): string {
  const file = path.join(options.directory, 'config.xml');
  const { backups, memoryBytes } = options;
  const allowed =
    backups === undefined
      ? ''
      : `\n  <backups><allowed_path>${escapeXml(backups)}</allowed_path></backups>`;
  writeFileSync(
    file,
    CONFIG.replace('MEMORY', String(memoryBytes)).replace(
      'BACKUPS',
      () => allowed,
    ),
  );
  return file;
}

function escapeXml(text: string): string {
  return text.replace(/[<>&]/g, sign => `&#${sign.charCodeAt(0)};`);
}
