/** Returns the name of an actor: `user:default/ada` becomes ada, `token:ci` stays the same. */
export function actorName(actor: string): string {
  return actor.replace(/^user:[^/]+\//, '');
}
