/** Takes one value out of a record; undefined when it is not there. */
export type FieldPath = (record: unknown) => unknown;

/** Lists within lists beyond this are no data but an attack on the stack. */
const deepestLists = 64;

/**
 * Compiles a path such as `memory.ids` or `hits.document.id`: names joined by dots, from the outside in.
 *
 * A key that itself holds dots is found too: at each object the longest run of names that is a key is taken
 * (`attributes.gen_ai.memory.records`). Through a list, the rest of the path is taken of every element, and lists of
 * lists become one: `hits.id` of `{hits: [{id: 1}, {id: 2}]}` is `[1, 2]`. Elements without the field give undefined.
 */
export function compileFieldPath(path: string): FieldPath {
  const names = path.split('.');
  /** keys[i][n]: names i to i + n, joined. */
  const keys = names.map((_, start) =>
    names.slice(start).map((__, count) => names.slice(start, start + count + 1).join('.')),
  );
  const take = (value: unknown, start: number, depth: number): unknown => {
    if (start === names.length) return value;
    if (Array.isArray(value)) {
      return depth < deepestLists ? value.flatMap((element) => take(element, start, depth + 1)) : undefined;
    }
    if (typeof value !== 'object' || value === null) return undefined;
    for (let count = keys[start]!.length - 1; count >= 0; count--) {
      const key = keys[start]![count]!;
      if (Object.hasOwn(value, key)) return take((value as Record<string, unknown>)[key], start + count + 1, depth);
    }
    return undefined;
  };
  return (record) => take(record, 0, 0);
}
