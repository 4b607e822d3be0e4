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

(defun closed-documents ()
  "Return the paths of the files closed.rui.json that have diagnostics."
  (let ((paths (seq-map #'car (seq-filter #'cdr flymake-list-only-diagnostics))))
    (seq-filter (lambda (path) (string-suffix-p "/closed.rui.json" path)) (seq-map #'file-relative-name paths))))

(let ((case-fold-search nil)
      (start default-directory)
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
  ;; A folder is moved by another program, of which eglot reports nothing.
  (let ((default-directory start))
    (push (cons 'closed (wait-until #'closed-documents)) answers)
    (rename-file "inner" "moved"))
  (goto-char (point-max))
  (insert " ")
  (save-buffer)
  (let ((default-directory start))
    (push (cons 'moved (wait-until (lambda () (remove "inner/closed.rui.json" (closed-documents))))) answers)
    (push (cons 'after (closed-documents)) answers))
  ;; A file without a line end at its end.
  (find-file (expand-file-name "compact.rui.json" start))
  (run-hooks 'post-command-hook)
  (eglot-format-buffer)
  (save-buffer)
  (eglot-shutdown (eglot-current-server))
  (princ (json-encode answers)))
