import { availableParallelism } from 'node:os';
import type { InferenceSession, OnnxValue, Tensor } from 'onnxruntime-node';
import { ForeignFileError } from '../errors/ForeignFileError.js';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';

/** A dense tensor: `values` row-major in `shape`. */
export interface TensorValue {
  readonly values: Float32Array | BigInt64Array;
  readonly shape: readonly number[];
}

/** How a model is run. */
export interface SessionOptions {
  /** Threads that one operator may use; all cores by default. No result may depend on it. */
  readonly threads?: number | undefined;
}

type Runtime = typeof import('onnxruntime-node');

/**
 * A model loaded into ONNX Runtime. The native library is loaded with the first session, so that commands which embed
 * nothing start without it.
 */
export class OnnxSession {
  readonly #runtime: Runtime;
  readonly #session: InferenceSession;

  private constructor(runtime: Runtime, session: InferenceSession) {
    this.#runtime = runtime;
    this.#session = session;
  }

  /**
   * @param model path of a model file, or the bytes of a model
   * @throws ForeignFileError when ONNX Runtime refuses the model
   */
  static async open(model: string | Uint8Array, options: SessionOptions = {}): Promise<OnnxSession> {
    const threads = options.threads ?? availableParallelism();
    if (!Number.isInteger(threads) || threads < 1) {
      throw new InvalidArgumentError({ argument: 'threads', value: threads, expected: 'an integer of at least 1' });
    }
    const runtime = await import('onnxruntime-node');
    const settings: InferenceSession.SessionOptions = {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      graphOptimizationLevel: 'all',
      logSeverityLevel: 3,
      extra: {
        session: {
          // Weights stored as bytes are turned into floats once, at loading, and not again in every run.
          disable_quant_qdq: '1',
          // Threads that wait for work must not keep a core busy: it may be needed elsewhere.
          'intra_op.allow_spinning': '0',
        },
      },
    };
    try {
      const session =
        typeof model === 'string'
          ? await runtime.InferenceSession.create(model, settings)
          : await runtime.InferenceSession.create(model, settings);
      return new OnnxSession(runtime, session);
    } catch (cause) {
      throw new ForeignFileError({
        file: typeof model === 'string' ? model : 'model in memory',
        reason: `ONNX Runtime cannot load it (${cause instanceof Error ? cause.message : String(cause)})`,
        cause,
      });
    }
  }

  get inputNames(): readonly string[] {
    return this.#session.inputNames;
  }

  get outputNames(): readonly string[] {
    return this.#session.outputNames;
  }

  /**
   * Runs the model. Inputs are read in place. An output given in `into` is written there; the others are allocated.
   * The event loop is free before the run and blocked during it.
   */
  async run(
    inputs: Readonly<Record<string, TensorValue>>,
    outputs: readonly string[],
    into?: Readonly<Record<string, TensorValue>>,
  ): Promise<Record<string, Float32Array>> {
    const fetches = into === undefined ? outputs : this.#tensors(into);
    const results: Record<string, OnnxValue> = await this.#session.run(this.#tensors(inputs), fetches);
    return Object.fromEntries(outputs.map((name) => [name, (results[name] as Tensor).data as Float32Array]));
  }

  async close(): Promise<void> {
    await this.#session.release();
  }

  #tensors(values: Readonly<Record<string, TensorValue>>): Record<string, Tensor> {
    const { Tensor } = this.#runtime;
    return Object.fromEntries(
      Object.entries(values).map(([name, { values: data, shape }]) => [
        name,
        data instanceof Float32Array ? new Tensor('float32', data, shape) : new Tensor('int64', data, shape),
      ]),
    );
  }
}
