/** How far the stages of the pipeline are behind. Rejects with KAFKA_UNREACHABLE while no broker answers. */
export interface PipelineReader {
  /** An object ready to be sent. */
  read(): Promise<object>;
}
