import { useEffect, useState } from 'preact/hooks';
import { ApiError, ask } from './api.js';

/** What is known of an answer. While a newer one is on its way, the last one stays (`isLoading` beside `data`). */
export interface Asked<T> {
  readonly data: T | undefined;
  readonly error: ApiError | undefined;
  readonly isLoading: boolean;
  readonly again: () => void;
}

/** Asks whenever the address changes; an answer that comes after a newer question is dropped. Nothing is asked for null. */
export function useAsk<T>(address: string | null): Asked<T> {
  const [state, setState] = useState<{ for: string | null; data?: T; error?: ApiError }>({ for: null });
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (address === null) {
      setState({ for: null });
      return;
    }
    const controller = new AbortController();
    ask<T>(address, { signal: controller.signal }).then(
      (data) => !controller.signal.aborted && setState({ for: address, data }),
      (error) => {
        if (controller.signal.aborted) return;
        const known = error instanceof ApiError ? error : new ApiError(0, 'ERROR', String(error));
        setState({ for: address, error: known });
      },
    );
    return () => controller.abort();
  }, [address, round]);
  return {
    data: state.data,
    error: state.for === address ? state.error : undefined,
    isLoading: address !== null && state.for !== address,
    again: () => setRound(round + 1),
  };
}

/** The latest answer to what is asked again and again, some milliseconds after each answer, for as long as it is shown. */
export function useAskAgain<T>(address: string, pause: number): T | undefined {
  const [data, setData] = useState<T>();
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const next = () => {
      ask<T>(address, { signal: controller.signal })
        .then((answer) => !controller.signal.aborted && setData(answer))
        // The question that is waited for says what is wrong.
        .catch(() => undefined)
        .finally(() => {
          if (!controller.signal.aborted) timer = setTimeout(next, pause);
        });
    };
    timer = setTimeout(next, pause / 4);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [address, pause]);
  return data;
}
