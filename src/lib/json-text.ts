/** Prepared JSON, in one or more pieces. */
export class JsonText {
  readonly pieces: readonly (string | Uint8Array)[];
  readonly byteLength: number;

  constructor(...pieces: (string | Uint8Array)[]) {
    this.pieces = pieces;
    this.byteLength = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  }
}
