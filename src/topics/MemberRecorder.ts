import type { LoadedDocuments, TopicDocuments } from './TopicDocuments.js';
import type { TopicTracker } from './trackers/TopicTracker.js';

/** Which documents of a slice the tracker put into which topic. */
export interface SliceMembers {
  /** Rows of the documents that have a vector, in event order, then id order. */
  readonly rows: Uint32Array;
  /** [rows] topic of each, -1 for none. */
  readonly topics: Int32Array;
}

/** Notes what a tracker does with the documents of each slice; neither of them behaves otherwise for it. */
export class MemberRecorder {
  #rows: Uint32Array = new Uint32Array(0);
  #topics: Int32Array = new Int32Array(0);

  /** Of the slice that was tracked last. */
  get last(): SliceMembers {
    return { rows: this.#rows, topics: this.#topics };
  }

  documents(documents: TopicDocuments): TopicDocuments {
    const load = async (rows: Uint32Array): Promise<LoadedDocuments> => {
      const loaded = await documents.load(rows);
      this.#rows = rows.filter((_, index) => loaded.present[index] === 1);
      return loaded;
    };
    return { ...documents, load };
  }

  tracker(tracker: TopicTracker): TopicTracker {
    return {
      name: tracker.name,
      parameters: tracker.parameters,
      save: () => tracker.save(),
      restore: (state) => tracker.restore(state),
      advance: async (batch) => {
        const assignment = await tracker.advance(batch);
        this.#topics = assignment.topics;
        return assignment;
      },
    };
  }
}
