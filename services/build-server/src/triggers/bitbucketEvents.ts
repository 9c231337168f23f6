import {
  builtAll,
  closed,
  type EventReading,
  headOf,
  listAt,
  emailOf,
  nameOf,
  nothing,
  objectAt,
  type Payload,
  readCommit,
  readRequest,
  textOf,
} from './eventReading.ts';

/** Reads a push, which may contain several refs. */
export function readBitbucketPush(payload: Payload): EventReading {
  const changes = listAt(objectAt(payload, 'push'), 'changes').map(change => {
    const now = objectAt(change, 'new');
    const branch = textOf(now.name);
    const side = branch === undefined ? objectAt(change, 'old') : now;
    const folder = textOf(side.type)?.endsWith('tag') ? 'tags' : 'heads';
    if (branch === undefined) {
      return { gone: { ref: `refs/${folder}/${textOf(side.name)}` } };
    }
    const commits = listAt(change, 'commits').map(commit => ({
      id: commit.hash,
      message: commit.message,
      author: {
        name: nameOf(objectAt(commit, 'author').raw),
        email: emailOf(objectAt(commit, 'author').raw),
      },
    }));
    return {
      source: {
        repository: textOf(objectAt(payload, 'repository').full_name),
        ref: `refs/${folder}/${branch}`,
        before: textOf(objectAt(objectAt(change, 'old'), 'target').hash),
        after: textOf(objectAt(now, 'target').hash),
        // The newest comes first.
        commits: commits.reverse().flatMap(readCommit),
      },
      head: headOf(objectAt(now, 'target').message),
      author: textOf(objectAt(payload, 'actor').nickname),
      isStrict: true,
    };
  });
  return builtAll(changes);
}

/** Reads the event of a pull request, which contains only the first digits of its commit. */
export function readBitbucketRequest(payload: Payload): EventReading {
  return nothing(
    isOfFork(objectAt(payload, 'pullrequest'))
      ? 'Pull requests of forks at Bitbucket Cloud are found by polling'
      : 'The push of its branch builds the commit',
  );
}

/** Excludes characters that would change the meaning of an address. */
const FULL_NAME = /^[\w-]+\/(?!\.)[\w.-]+$/;

/**
 * Reads a pull request from a list; its commit is the head of its branch. Only the first digits of
 * the commit are known. The repository has no ref for a fork's commits, which must be fetched from
 * the fork: the ref only names them.
 */
export function readBitbucketListed(
  request: Payload,
  repository: string,
): EventReading {
  const [branch, base] = ['source', 'destination'].map(
    side => objectAt(objectAt(request, side), 'branch').name,
  );
  const isFork = isOfFork(request);
  const source = objectAt(request, 'source');
  const fork = isFork
    ? textOf(objectAt(source, 'repository').full_name)
    : undefined;
  const isNamed = fork !== undefined && FULL_NAME.test(fork);
  return readRequest({
    ...{ repository, branch, base, isFork },
    number: request.id,
    refs: isFork
      ? 'refs/pull-requests/*/from'
      : `refs/heads/${textOf(branch) ?? ''}`,
    sha: objectAt(source, 'commit').hash,
    title: request.title,
    url: objectAt(objectAt(request, 'links'), 'html').href,
    author: textOf(objectAt(request, 'author').nickname),
    ...(isNamed && { fork }),
    ...(isFork && !isNamed && { fault: 'Its fork is gone' }),
  });
}

function isOfFork(request: Payload): boolean {
  const [from, to] = ['source', 'destination'].map(
    side => objectAt(objectAt(request, side), 'repository').uuid,
  );
  // A deleted fork has no repository.
  return from === undefined || from !== to;
}

export function readBitbucketServerPush(payload: Payload): EventReading {
  const repository = objectAt(payload, 'repository');
  const project = textOf(objectAt(repository, 'project').key);
  const slug = textOf(repository.slug);
  const changes = listAt(payload, 'changes').map(change =>
    change.type === 'DELETE'
      ? { gone: { ref: textOf(change.refId) } }
      : {
          source: {
            repository: project && slug ? `${project}/${slug}` : slug,
            ref: textOf(change.refId) ?? textOf(objectAt(change, 'ref').id),
            before: textOf(change.fromHash),
            after: textOf(change.toHash),
            commits: [],
          },
          // Newer versions describe the last commit of a push to one ref.
          ...(objectAt(payload, 'toCommit').id === change.toHash && {
            head: headOf(objectAt(payload, 'toCommit').message),
          }),
          author: textOf(objectAt(payload, 'actor').name),
          isStrict: true,
        },
  );
  return builtAll(changes);
}

export function readBitbucketServerRequest(payload: Payload): EventReading {
  const request = objectAt(payload, 'pullRequest');
  const from = objectAt(request, 'fromRef');
  const to = objectAt(request, 'toRef');
  const repository = objectAt(to, 'repository');
  const project = textOf(objectAt(repository, 'project').key);
  return readRequest({
    repository: project && `${project}/${textOf(repository.slug)}`,
    number: request.id,
    refs: 'refs/pull-requests/*/from',
    sha: from.latestCommit,
    base: to.displayId,
    branch: from.displayId,
    title: request.title,
    url: listAt(objectAt(request, 'links'), 'self')[0]?.href,
    isFork: objectAt(from, 'repository').id !== repository.id,
    author: textOf(objectAt(payload, 'actor').name),
  });
}

/** Reads the end of a pull request of Bitbucket Cloud. */
export function readBitbucketClosed(payload: Payload): EventReading {
  return closed(objectAt(payload, 'pullrequest').id);
}

/** Reads the end of a pull request of Bitbucket Server. */
export function readBitbucketServerClosed(payload: Payload): EventReading {
  return closed(objectAt(payload, 'pullRequest').id);
}
