/** `trace,weight=2` as `{kind: trace, weight: 2}`: the way labels are written in results. */
export function specFrom(label: string): unknown {
  const [kind, ...parameters] = label.split(',');
  const pairs = parameters.map((parameter) => {
    const [key = '', ...rest] = parameter.split('=');
    const value = rest.join('=');
    return [key, value !== '' && Number.isFinite(Number(value)) ? Number(value) : value];
  });
  return { kind, ...Object.fromEntries(pairs) };
}
