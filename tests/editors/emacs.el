;;; Run by test_emacs.py: edits documents and prints the results of eglot as a JSON object.  -*- lexical-binding: t -*-

(require 'json)
(require 'seq)
(require 'url)

(defun wait-until (condition)
  "Wait until CONDITION returns a non-nil value, and return it."
  (let ((end (+ (float-time) 60)) value)
    (while (not (setq value (funcall condition)))
      (when (> (float-time) end)
        (error "Timeout: %S; %S" condition (buffer-string)))
      (accept-process-output nil 0.02))
    value))

(defun findings ()
  "Return code, line and column (in characters) of all diagnostics."
  (seq-map (lambda (found)
             (goto-char (flymake-diagnostic-beg found))
             (let ((text (flymake-diagnostic-text found)))
               (string-match "\\[\\([A-Z_]+\\)\\]" text)
               (vector (match-string 1 text) (line-number-at-pos) (- (point) (line-beginning-position)))))
           (flymake-diagnostics)))

(defun visit (name)
  "Open a document and wait for its diagnostics."
  (find-file name)
  ;; Batch mode has no command loop, in which `eglot-ensure' starts the server and Flymake its first check.
  (run-hooks 'post-command-hook)
  (when flymake-mode (flymake-start))
  (wait-until #'findings))

(defun has (code)
  (seq-find (lambda (found) (equal (aref found 0) code)) (findings)))

(let ((case-fold-search nil)
      answers)
  (push (cons 'draft (visit "draft.rui.json")) answers)
  (push (cons 'mode (symbol-name major-mode)) answers)
  (goto-char (point-min))
  (search-forward "\"Txt\"")
  (replace-match "\"Text\"")
  (eglot--signal-textDocument/didChange) ; Usually an idle timer does this.
  (wait-until (lambda () (not (has "UNKNOWN_TYPE"))))
  (push (cons 'changed (findings)) answers)
  (goto-char (point-min))
  (search-forward "\"today")
  (eglot-rename "this-day")
  (eglot-format-buffer)
  (push (cons 'formatted (buffer-string)) answers)
  (let ((browse-url-browser-function (lambda (address &rest _) (push (cons 'preview address) answers))))
    (rui-preview))
  (push (cons 'page (with-current-buffer (url-retrieve-synchronously (cdr (assq 'preview answers)))
                      (buffer-string)))
        answers)
  (push (cons 'wide (visit "wide.rui.json")) answers)
  (eglot-shutdown (eglot-current-server))
  (princ (json-encode answers)))
