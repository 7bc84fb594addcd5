/** An answer of the server that is an error, with the library's code. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, detail: string) {
    super(detail);
    this.status = status;
    this.code = code;
  }
}

const tokenKey = 'asof.token';

/** The token of this tab; gone when it is closed. */
export const token = {
  get: () => sessionStorage.getItem(tokenKey),
  set: (text: string) => sessionStorage.setItem(tokenKey, text),
};

function headers(): Record<string, string> {
  const held = token.get();
  return held === null ? {} : { authorization: `Bearer ${held}` };
}

/** Query text of parameters; what is undefined or empty is left out, a list is repeated. */
export function queryText(parameters: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null && item !== '') query.append(name, String(item));
    }
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** Asks the server of this page. @throws ApiError */
export async function ask<T>(address: string, init: RequestInit = {}): Promise<T> {
  const answer = await send(address, init);
  return (await answer.json()) as T;
}

async function send(address: string, init: RequestInit): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(address, { ...init, headers: { ...headers(), ...(init.headers as Record<string, string>) } });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(0, 'OFFLINE', 'The server does not answer. It may have been ended.');
  }
  if (answer.ok) return answer;
  const problem = await answer.json().catch(() => ({}));
  throw new ApiError(answer.status, problem.code ?? 'ERROR', problem.detail ?? answer.statusText);
}

/** Saves a file of the server: through a request, since a plain link could carry no token. */
export async function download(address: string, name: string): Promise<void> {
  const blob = await (await send(address, {})).blob();
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
