// Looking at what a piece of work costs its clients, on a machine that may be doing other things meanwhile.

const MOST = 3;

/**
 * Looks until what was seen is within the limits (each member below its limit), three times at most; the last look is
 * the one to judge. What else the machine does can only make an interruption longer, in one look or another; what the
 * work itself costs is there in each.
 */
export async function looks<Seen extends object>(
  look: () => Promise<Seen>,
  limits: { readonly [Member in keyof Seen]?: number },
): Promise<{ last: Seen; all: Seen[] }> {
  const all: Seen[] = [];
  for (;;) {
    const last = await look();
    all.push(last);
    const members = Object.keys(limits) as (keyof Seen)[];
    const within = members.every((member) => Number(last[member]) < limits[member]!);
    if (within || all.length === MOST) return { last, all };
  }
}
