// Lets whoever has just written the applied entries have them followed at once, where the follower runs in the same process.

/** By host: one look at the files, and what follows from it. */
const followers = new WeakMap<object, () => Promise<void>>();

/** Answers how to end it. */
export function whileFollowing(host: object, look: () => Promise<void>): () => void {
  followers.set(host, look);
  return () => void (followers.get(host) === look && followers.delete(host));
}

/**
 * Returns when the files as they are now were looked at: twice, since a look that had begun before may have seen the former
 * ones. Where nobody follows in this process, there is nothing to wait for.
 */
export async function followedNow(host: object): Promise<void> {
  await followers.get(host)?.();
  await followers.get(host)?.();
}
