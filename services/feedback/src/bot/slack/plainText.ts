/**
 * What somebody wrote, without Slack's markup: our mention at either end is gone, links
 * are their addresses, channels and people their names where Slack gives them.
 *
 * @see https://docs.slack.dev/messaging/formatting-message-text
 */
export function plainText(text: string, botUser: string | undefined): string {
  const mention = botUser ? `<@${botUser}>` : undefined;
  let rest = text.trim();
  if (mention && rest.startsWith(mention)) {
    rest = rest.slice(mention.length);
  } else if (mention && rest.endsWith(mention)) {
    rest = rest.slice(0, -mention.length);
  }
  return rest
    .replace(/^\s*:\s/, '')
    .replace(/<([@#!]?)([^<>|]+)(?:\|([^<>]*))?>/g, (_, sign, target, label) =>
      sign === '' ? target : `${sign === '#' ? '#' : '@'}${label || target}`,
    )
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .trim();
}
