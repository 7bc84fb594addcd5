/** How well one label was found. */
export interface LabelScore<Label extends string> {
  readonly label: Label;
  /** Items that have it, items that were given it, and both. */
  readonly actual: number;
  readonly predicted: number;
  readonly agreed: number;
  /** 2 * agreed / (actual + predicted); null where nothing has the label and nothing was given it. */
  readonly f1: number | null;
}

/** Agreement of predicted with true labels. */
export interface LabelScores<Label extends string> {
  readonly items: number;
  /** Share of items with the right label; null without items. */
  readonly accuracy: number | null;
  readonly labels: readonly LabelScore<Label>[];
  /** Mean F1 over the labels for which it is defined (macro-F1, all labels alike); null where it is for none. */
  readonly macroF1: number | null;
}

/**
 * Macro-F1 over some labels (temporal RAG, section 5.3); others, such as `stable`, count only by what they are mistaken
 * for.
 *
 * @param pairs the actual and the predicted label of each item
 * @param labels those that are scored
 */
export function scoreLabels<Label extends string>(
  pairs: readonly (readonly [actual: string, predicted: string])[],
  labels: readonly Label[],
): LabelScores<Label> {
  const scores = labels.map((label): LabelScore<Label> => {
    const actual = pairs.filter((pair) => pair[0] === label).length;
    const predicted = pairs.filter((pair) => pair[1] === label).length;
    const agreed = pairs.filter((pair) => pair[0] === label && pair[1] === label).length;
    const f1 = actual + predicted === 0 ? null : (2 * agreed) / (actual + predicted);
    return { label, actual, predicted, agreed, f1 };
  });
  const defined = scores.map(({ f1 }) => f1).filter((f1) => f1 !== null);
  return {
    items: pairs.length,
    accuracy: pairs.length === 0 ? null : pairs.filter(([a, b]) => a === b).length / pairs.length,
    labels: scores,
    macroF1: defined.length === 0 ? null : defined.reduce((sum, f1) => sum + f1, 0) / defined.length,
  };
}
