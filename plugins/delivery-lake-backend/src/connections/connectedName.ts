import type { Sender } from '@slipway/platform-guards';
import { repositoryName } from '../events/repositoryName';
import { hostOf } from '../webhooks/payload';

/** Maximum length of a host name. */
const HOST_LIMIT = 253;

/**
 * Returns the host of an address; for a single word, the host of the account with that name in the
 * vendor's cloud. Undefined if the address has none.
 */
function accountHost(address: string, cloud: string): string | undefined {
  const text = address.trim();
  if (text.length > HOST_LIMIT && !text.includes('://')) {
    return undefined;
  }
  if (/^[a-z0-9-]+$/i.test(text)) {
    return `${text.toLowerCase()}.${cloud}`;
  }
  return hostOf(text.includes('://') ? text : `https://${text}`);
}

const PAGERDUTY = 'pagerduty.com';
const ATLASSIAN = 'atlassian.net';

/**
 * Returns the name that deliveries use for what an admin connects: the repository of a forge, or the
 * host of a PagerDuty account or a Jira site.
 *
 * @returns undefined if the address does not contain one.
 */
export function connectedName(
  sender: Sender,
  address: string,
): string | undefined {
  if (sender === 'pagerduty') {
    const host = accountHost(address, PAGERDUTY);
    return host?.endsWith(`.${PAGERDUTY}`) ? host : undefined;
  }
  return sender === 'jira'
    ? accountHost(address, ATLASSIAN)
    : repositoryName(address);
}

/** Describes the addresses that {@link connectedName} accepts, to complete "must be …". */
export function expectedName(sender: Sender): string {
  switch (sender) {
    case 'pagerduty':
      return `the address of an account of PagerDuty, such as acme.${PAGERDUTY}`;
    case 'jira':
      return `the address of a site of Jira, such as acme.${ATLASSIAN}`;
    default:
      return 'the address of a repository, or owner/name';
  }
}
