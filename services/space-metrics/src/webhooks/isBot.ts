const BOT_LOGINS =
  /\[bot\]$|^(?:dependabot|renovate|greenkeeper|snyk|github-actions|codecov|mergify)(?:-(?:bot|preview))?$|^(?:project|group)_\d+_bot|(?:^|-)bot$/i;

const BOT_ADDRESSES =
  /\[bot\]@|^(?:noreply|no-reply|bot)@|^(?:project|group)_?\d+_bot/i;

/**
 * Whether an account is a machine's: by the names that forges and common tools give
 * theirs, and by the configured ones.
 */
export function isBot(
  author: { login?: string; email?: string },
  options: { bots: readonly string[] },
): boolean {
  const { login, email } = author;
  const names = [login, email].flatMap(name => name?.toLowerCase() ?? []);
  return (
    (login !== undefined && BOT_LOGINS.test(login)) ||
    (email !== undefined && BOT_ADDRESSES.test(email)) ||
    options.bots.some(bot => names.includes(bot.toLowerCase()))
  );
}
