import { DeploymentLink } from '../../events/LakeEvent';

/**
 * `Deployment: deploy-…`, `Deployment: 145988746`, `Deploy: <sha>`, `Caused by: <sha>`
 * on a line of its own, as a list item, quoted, bold or as code too. Nothing in it
 * runs over the end of a line: anybody may write an issue, of line ends alone too.
 */
const LINK_LINE =
  /^[ \t>*_-]*(deployment|deploy|caused[ -]by)[*_]*[ \t]*:[ \t*_`]*([^\s`*<>]+)/im;
const SHA = /^[0-9a-f]{7,64}$/i;
/** A deployment's id may look like a short SHA (145988746); a whole one is none. */
const WHOLE_SHA = /^([0-9a-f]{40}|[0-9a-f]{64})$/i;

/**
 * The deployment that an issue says caused the incident:
 *
 * - `Deployment: <id>`: an id of the lake (`deploy-…`), a whole SHA, or the id
 *   under which the sender of the issue reported the deployment;
 * - `Deploy: <sha>` or `Caused by: <sha>`: the commit that was deployed, or an id
 *   as above.
 *
 * @param source - whose ids are meant.
 * @returns null when it names none.
 */
export function deploymentLinkIn(
  text: string | null | undefined,
  source: string,
): DeploymentLink | null {
  const [, word, name] = LINK_LINE.exec(text ?? '') ?? [];
  if (!name) {
    return null;
  }
  if (name.startsWith('deploy-')) {
    return { id: name };
  }
  const sha = /^deployment$/i.test(word) ? WHOLE_SHA : SHA;
  return sha.test(name)
    ? { sha: name.toLocaleLowerCase('en-US') }
    : { source, externalId: name };
}
