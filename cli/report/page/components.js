// The components of a cycle stack in the order in which they are stacked, with their names for people.
const COMPONENTS = [
  ["issue", "issue"], ["divergence", "divergence"], ["pipe", "execution pipes"], ["fetch", "instruction fetch"], ["lsu", "load/store unit"], ["store", "stores"],
  ["l1", "L1"], ["local", "local memory"], ["uniform", "uniform loads"], ["l2", "L2"], ["dram", "DRAM"],
  ["bandwidth", "bandwidth"], ["atomic", "atomics"], ["translation", "address translation"], ["barrier", "barriers"],
  ["launch", "launch"], ["idle", "idle"],
];

// Returns the components that are not zero everywhere in these stacks, and those that this page does not know, as [key, name, colour].
function componentsOf(stacks) {
  const known = new Map(COMPONENTS);
  const keys = new Set(COMPONENTS.map(([key]) => key));
  for (const stack of stacks) for (const key of Object.keys(stack)) keys.add(key);
  return [...keys].filter(key => stacks.some(stack => Math.abs(stack[key] || 0) > 0))
    .map((key, i) => [key, known.get(key) || key, known.has(key) ? `var(--${key})` : series(i)]);
}
